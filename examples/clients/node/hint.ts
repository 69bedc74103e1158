// Asks a server what to play: node build/hint.js POSITION.json HOST:PORT
import { credentials, loadPackageDefinition } from "@grpc/grpc-js";
import { loadSync } from "@grpc/proto-loader";
import { PROTOS, readObservation, twoArguments } from "./positions.js";
import type { ProtoGrpcType } from "./types/opponent.js";

const [position, address] = twoArguments("node build/hint.js POSITION.json HOST:PORT");
const observation = readObservation(position);
const loaded = loadSync("emptychair/v1/opponent.proto", { includeDirs: [PROTOS], keepCase: true, defaults: true });
const { OpponentService } = (loadPackageDefinition(loaded) as unknown as ProtoGrpcType).emptychair.v1;
const client = new OpponentService(address, credentials.createInsecure());
client.Recommend({ observation }, (error, reply) => {
  const advice = reply?.recommendation;
  console.log(error?.details ?? advice?.plan.map((step) => step.words).concat(advice.explanation).join("\n"));
  process.exitCode = error ? 1 : 0;
});
