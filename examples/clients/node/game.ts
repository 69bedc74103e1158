// Plays a whole game against a server: node build/game.js GAME HOST:PORT
//
// This program is the host: it keeps the sealed game and hands each player no more than that seat may know. Seat 0
// follows an analysis and stops it when it has seen enough; the other seats are bots.
import {
  credentials,
  loadPackageDefinition,
  status,
  type requestCallback,
  type ServiceError,
} from "@grpc/grpc-js";
import { loadSync } from "@grpc/proto-loader";
import { faults } from "./errors.js";
import { PROTOS, twoArguments } from "./positions.js";
import type { AnalyzeResponse__Output } from "./types/emptychair/v1/AnalyzeResponse.js";
import type { ApplyMovesResponse__Output } from "./types/emptychair/v1/ApplyMovesResponse.js";
import type { NewGameResponse__Output } from "./types/emptychair/v1/NewGameResponse.js";
import type { Observation__Output } from "./types/emptychair/v1/Observation.js";
import type { ObserveResponse__Output } from "./types/emptychair/v1/ObserveResponse.js";
import type { Recommendation__Output } from "./types/emptychair/v1/Recommendation.js";
import type { RecommendResponse__Output } from "./types/emptychair/v1/RecommendResponse.js";
import type { ProtoGrpcType as GameTypes } from "./types/game.js";
import type { ProtoGrpcType as OpponentTypes } from "./types/opponent.js";

const PATIENCE_MS = 10_000; // how long a call may take
const ENOUGH = 3; // answers of an analysis after which seat 0 has made up its mind

const [game, address] = twoArguments("node build/game.js GAME HOST:PORT");
const files = ["emptychair/v1/game.proto", "emptychair/v1/opponent.proto"];
const loaded = loadSync(files, { includeDirs: [PROTOS], keepCase: true, defaults: true, longs: String, enums: String });
const services = (loadPackageDefinition(loaded) as unknown as GameTypes & OpponentTypes).emptychair.v1;
const games = new services.GameService(address, credentials.createInsecure());
const opponent = new services.OpponentService(address, credentials.createInsecure());

/** A call as a promise; it has so many milliseconds, then it fails with DEADLINE_EXCEEDED. */
function ask<Reply>(call: (options: { deadline: number }, done: requestCallback<Reply>) => unknown): Promise<Reply> {
  return new Promise((resolve, reject) =>
    call({ deadline: Date.now() + PATIENCE_MS }, (error, reply) => (reply ? resolve(reply) : reject(error))),
  );
}

/** The plan of a bot for the seat to move: the server takes what that seat knows from the sealed game. */
async function botPlan(sealed: Buffer): Promise<Recommendation__Output> {
  const request = { sealed, level: "casual" };
  const reply = await ask<RecommendResponse__Output>((options, done) => opponent.Recommend(request, options, done));
  return reply.recommendation!;
}

/** The best plan of an analysis from what one seat knows; it ends when enough answers came, or the search itself. */
function followedPlan(observation: Observation__Output): Promise<Recommendation__Output> {
  const request = { observation, budget: { time_ms: 500 }, report_interval_ms: 20 };
  const answers = opponent.Analyze(request, { deadline: Date.now() + PATIENCE_MS });
  let best: Recommendation__Output;
  let count = 0;
  return new Promise((resolve, reject) => {
    answers.on("data", (answer: AnalyzeResponse__Output) => {
      best = answer.recommendation!;
      if (++count === ENOUGH) answers.cancel(); // the server stops its search
    });
    answers.on("end", () => resolve(best));
    answers.on("error", (error: ServiceError) => (error.code === status.CANCELLED ? resolve(best) : reject(error)));
  });
}

/** What one seat of the game knows. */
async function observed(sealed: Buffer, seat: number, seat_token: string): Promise<Observation__Output> {
  const request = { sealed, seat, seat_token };
  const reply = await ask<ObserveResponse__Output>((options, done) => games.Observe(request, options, done));
  return reply.observation!;
}

function applied(sealed: Buffer, moves: string[]): Promise<ApplyMovesResponse__Output> {
  return ask((options, done) => games.ApplyMoves({ sealed, moves }, options, done));
}

/** Plays to the end, and tells what happens. */
async function play(): Promise<void> {
  const begun = await ask<NewGameResponse__Output>((options, done) => games.NewGame({ game }, options, done));
  let { sealed, status: now } = begun;
  await applied(sealed, ["jump"]).catch((error) => console.log("A wrong move is refused:", ...faults(error)));
  while (now?.to_move !== undefined) {
    const seat = now.to_move;
    const token = begun.seat_tokens[seat]!;
    const plan = seat === 0 ? await followedPlan(await observed(sealed, seat, token)) : await botPlan(sealed);
    const after = await applied(sealed, [plan.plan[0]!.move]); // what comes of it may call for another plan
    for (const move of after.played) console.log(`seat ${move.seat}: ${move.words}`);
    ({ sealed, status: now } = after);
  }
  console.log("results by seat:", ...(now?.returns ?? []));
}

play().catch((error) => {
  console.error(...faults(error));
  process.exitCode = 1;
});
