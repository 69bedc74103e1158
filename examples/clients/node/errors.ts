// What a refused call tells, field by field.
import { loadPackageDefinition, type ServiceError } from "@grpc/grpc-js";
import { loadSync } from "@grpc/proto-loader";
import { fileURLToPath } from "node:url";
import type { ProtoGrpcType } from "./types/google_rpc.js";

const FILE = fileURLToPath(new URL("../google_rpc.proto", import.meta.url));
const { rpc } = (loadPackageDefinition(loadSync(FILE, { keepCase: true, defaults: true })) as unknown as ProtoGrpcType)
  .google;

/** A line for each field that is wrong, or the error's own text if it names none. */
export function faults(error: ServiceError): string[] {
  const lines = error.metadata
    .get("grpc-status-details-bin")
    .flatMap((bytes) => rpc.Status.deserialize(bytes as Buffer).details)
    .filter((detail) => detail.type_url.endsWith("/google.rpc.BadRequest"))
    .flatMap((detail) => rpc.BadRequest.deserialize(detail.value as Buffer).field_violations)
    .map((violation) => `${violation.field}: ${violation.description}`);
  return lines.length > 0 ? lines : [error.details];
}
