// Positions from files, for hint.ts and game.ts.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Observation } from "./types/emptychair/v1/Observation.js";
import type { Struct } from "./types/google/protobuf/Struct.js";

/** The folder of the protos, as seen from build/. */
export const PROTOS = fileURLToPath(new URL("../../../../proto", import.meta.url));

/**
 * An observation file as the message that requests carry. Two things protobuf.js does not take from JSON as it is:
 * house rules, which are a google.protobuf.Struct, and null, which is an empty word in a list of cards.
 */
export function readObservation(file: string): Observation {
  try {
    const observation = JSON.parse(readFileSync(file, "utf8"), (key, value) =>
      key === "rules" ? struct(value) : (value ?? ""),
    );
    return { [observation.game]: observation };
  } catch (error) {
    return giveUp(`${file}: ${(error as Error).message}`);
  }
}

/** The two words after the program's name, or the end of it with a line that says how it is used. */
export function twoArguments(usage: string): [string, string] {
  const [first, second, ...more] = process.argv.slice(2);
  return first && second && more.length === 0 ? [first, second] : giveUp(`usage: ${usage}`);
}

/** Ends the program with a line that says why. */
function giveUp(reason: string): never {
  console.error(reason);
  process.exit(1);
}

function struct(rules: Record<string, boolean | number | string>): Struct {
  const kinds = { boolean: "boolValue", number: "numberValue", string: "stringValue" };
  const value = (rule: boolean | number | string) => ({ [kinds[typeof rule as keyof typeof kinds]]: rule });
  return { fields: Object.fromEntries(Object.entries(rules).map(([name, rule]) => [name, value(rule)])) };
}
