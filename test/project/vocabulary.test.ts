// Tests that retired identifiers do not return. Only names in code count; prose, SQL and stored field names in strings
// do not.
import { describe, expect, test } from "vitest";
import { parseSource, sourceFiles, walk } from "../../scripts/read-source.ts";

const FOLDERS = ["src", "machines", "scripts", "bench", "examples", "test"];
/** The public entry, which keeps names of earlier releases as aliases. */
const EXEMPT: readonly string[] = ["src/index.ts"];

/** Each retired name with its replacement. They are strings, so that this file passes its own test. */
const RETIRED: ReadonlyMap<string, string> = new Map([
  ["insist", "retryUnavailable"],
  ["Patience", "RetryOptions"],
  ["createInsist", "createRetry"],
  ["told", "a name for the value, for example `synced`, `documented` or `received`"],
  ["Told", "ReconcileAnswer or DirectoryTarget"],
  ["toldSince", "recordsSince"],
  ["wish", "params or body"],
  ["Wish", "TurnRequestInput"],
  ["ScheduleWish", "ScheduleCreateParams"],
  ["FIRST_WISH", "EXAMPLE_REQUEST"],
  ["TurnCall", "TurnRequest"],
  ["Leave", "Authorization"],
  ["Finding", "CallResult or CheckResult"],
  ["lookedAt", "runPureCall"],
  ["carryOut", "runHandler"],
  ["Way", "Recovery"],
  ["wayOut", "chooseRecovery"],
  ["outrun", "superseded"],
  ["whileUnmoved", "withSupersededSignal"],
  ["remembered", "cache"],
  ["seenAgain", "rebuildPromptState"],
  ["Ran", "MultiTurnResult"],
  ["wholeOutcome", "hydrateOutcome"],
  ["settleOptions", "withDefaults"],
  ["bearable", "rateCheck"],
  ["Seat", "LiveConnection"],
  ["doors", "securityFor"],
  ["let_in", "accessOptions"],
  ["Texted", "SendResult"],
  ["takeBack", "rollBack"],
  ["sendAway", "recordRollback"],
  ["hearInCopy", "deliverToFork"],
  ["createTurns", "createFairQueue"],
  ["LookOut", "DuePoller"],
  ["wearsOut", "needsRenewal"],
  ["handOn", "requeue"],
  ["leaveWakeUp", "ensureWakeUp"],
  ["bury", "deadLetter"],
  ["createTeller", "createDirectorySync"],
  ["teller", "directorySync"],
  ["owe", "markDirty"],
  ["workOff", "drainDue"],
  ["outliveReader", "keepAliveAfterDisconnect"],
  ["ringOverdue", "rearmAlarms"],
  ["holdRows", "createRowCache"],
  ["misshapenField", "invalidField"],
  ["createStreamEar", "createStreamCollector"],
  ["toldToRun", "execOptionRisks"],
  ["useLooked", "usePolled"],
  ["schedulesOn", "createSchedulesPort"],
]);

/**
 * Returns the retired names in one file, each with its replacement. Variables, types, properties and JSX names are
 * identifiers; strings are not.
 */
function retiredNames(path: string, text?: string): readonly string[] {
  const found = new Set<string>();
  walk(parseSource(path, text), (node) => {
    if (!/Identifier$/.test(node.type) || typeof node.name !== "string") return;
    const replacement = RETIRED.get(node.name);
    if (replacement !== undefined) found.add(`${path}: ${node.name} (use ${replacement})`);
  });
  return [...found];
}

describe("retired identifiers", () => {
  test.each(FOLDERS)("%s does not use them", (folder) => {
    const files = sourceFiles(folder).filter((path) => !EXEMPT.includes(path));
    expect(files.length).toBeGreaterThan(0);
    expect(files.flatMap((path) => retiredNames(path))).toEqual([]);
  });

  test("are found as variables, types, properties, private fields, parameters and imports", () => {
    const names = (code: string): number => retiredNames("x.ts", code).length;
    expect(names("const told = 1;")).toBe(1);
    expect(names("type A = { readonly let_in: Leave };")).toBe(2);
    expect(names("class A { #teller = 1; bury(): void {} }")).toBe(2);
    expect(names("export const a = (wish: Wish): void => insist(wish);")).toBe(3);
    expect(names('import { carryOut as run } from "./a.ts";')).toBe(1);
    expect(retiredNames("x.tsx", "export const a = <Seat />;")).toEqual(["x.tsx: Seat (use LiveConnection)"]);
  });

  test("may occur in strings, comments and longer names", () => {
    const code = '// told\nexport const title = "told"; export const toString = 1; export const untold = `told`;';
    expect(retiredNames("x.ts", code)).toEqual([]);
  });
});
