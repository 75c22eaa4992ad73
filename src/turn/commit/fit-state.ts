// A state that is too large is made to fit: what can be read elsewhere goes first. Only a fallback; most states are small.
import type { Hash } from "../../ports/hash.ts";
import { countFolded, toolOfLine } from "../../prompt/fold.ts";
import { byteLength, exceedsBytes } from "../../schema/byte-length.ts";
import type { Gate, StoredCall } from "../../schema/gate.ts";
import { fail, ok, type Result } from "../../schema/problem.ts";
import { STATE_BYTES_MAX, type ThreadState } from "../../schema/thread.ts";
import { cutBytes } from "../../tools/cut-text.ts";
import type { Blob } from "./blob.ts";

type Fitted = { readonly state: ThreadState; readonly blobs: readonly Blob[] };
/** `text`: the state as it will be stored. */
export type FittedState = Fitted & { readonly text: string };
/** One thing less; null: there is nothing of the kind to give away. */
type Shrink = (fitted: Fitted, hash: Hash) => Fitted | null;

const bytesOf = (value: unknown): number => byteLength(JSON.stringify(value));
const fits = (text: string): boolean => !exceedsBytes(text, STATE_BYTES_MAX);

/** A state that does not fit must not cost a receipt: it is made smaller until it does. */
export function fitState(hash: Hash, state: ThreadState): Result<FittedState> {
  let fitted: Fitted = { state, blobs: [] };
  let text = JSON.stringify(state);
  while (!fits(text)) {
    const smaller = shrink(fitted, hash);
    if (!smaller) return fail("record_too_large", "The thread's state does not fit into 16 KB.");
    fitted = smaller;
    text = JSON.stringify(fitted.state);
  }
  return ok({ ...fitted, text });
}

function shrink(fitted: Fitted, hash: Hash): Fitted | null {
  for (const less of SHRINKS) {
    const smaller = less(fitted, hash);
    if (smaller) return smaller;
  }
  return null;
}

const withState = ({ state, blobs }: Fitted, change: Partial<ThreadState>): Fitted => ({
  state: { ...state, ...change },
  blobs,
});

const foldedLine: Shrink = (fitted) => {
  const [oldest, ...lines] = fitted.state.folded.lines;
  if (oldest === undefined) return null;
  const counts = countFolded(fitted.state.folded.counts, toolOfLine(oldest));
  return withState(fitted, { folded: { lines, counts } });
};

/** Below this a name for a blob is as long as what it stands for. */
const ARGUMENTS_KEPT_BYTES = 256;

/** Arguments of the call that waits or runs: kept as those are that were too long from the beginning. */
const callArguments: Shrink = ({ state, blobs }, hash) => {
  const { gate, acting } = state;
  const held = [gate && "call" in gate ? gate.call : null, acting?.call ?? null];
  const large = held.find((call) => call?.arguments && bytesOf(call.arguments) > ARGUMENTS_KEPT_BYTES);
  if (!large) return null;
  const text = JSON.stringify(large.arguments);
  const name = hash.sha256(text);
  const moved = (call: StoredCall): StoredCall =>
    call.arguments_digest === large.arguments_digest ? { ...call, arguments: null, arguments_blob: name } : call;
  return {
    state: {
      ...state,
      gate: gate && "call" in gate ? { ...gate, call: moved(gate.call) } : gate,
      acting: acting && { ...acting, call: moved(acting.call) },
    },
    blobs: [...blobs, { hash: name, text }],
  };
};

/** As in folding, the first thing that was said goes last. */
const dialogueLine: Shrink = (fitted) => {
  const { lines, dropped } = fitted.state.dialogue;
  if (lines.length === 0) return null;
  return withState(fitted, { dialogue: { lines: lines.toSpliced(lines.length > 1 ? 1 : 0, 1), dropped: dropped + 1 } });
};

/** Of a step that is behind us one proof is enough: of the kind it needed, else the newest. */
const secondProof: Shrink = (fitted) => {
  const { proofs, machine, plan } = fitted.state;
  const spare = proofs.findIndex(
    ({ step, kind }, i) =>
      step < machine.step &&
      plan?.[step]?.needs !== kind &&
      proofs.some((other, j) => other.step === step && (j > i || other.kind === plan?.[step]?.needs)),
  );
  return spare < 0 ? null : withState(fitted, { proofs: proofs.filter((_, i) => i !== spare) });
};

const PROOF_BYTES = 24;

const proofWords: Shrink = (fitted) => {
  const short = fitted.state.proofs.map((proof) => ({ ...proof, summary: cutBytes(proof.summary, PROOF_BYTES) }));
  return bytesOf(short) < bytesOf(fitted.state.proofs) ? withState(fitted, { proofs: short }) : null;
};

const GATE_TEXT_BYTES = 512;
const SHOWN_BYTES = 1_024;
const NOT_SHOWN = "\n… the rest is not shown here …";

/** The record that opens it says the words in full, and the arguments are read from their blob. */
const gateWords: Shrink = (fitted) => {
  const { gate } = fitted.state;
  if (!gate) return null;
  const short: Gate = { ...gate, text: cutBytes(gate.text, GATE_TEXT_BYTES) };
  if (short.kind === "confirmation" && bytesOf(short.shown) > 2 * SHOWN_BYTES)
    short.shown = `${cutBytes(short.shown, SHOWN_BYTES)}${NOT_SHOWN}`;
  return bytesOf(short) < bytesOf(gate) ? withState(fitted, { gate: short }) : null;
};

const SHRINKS: readonly Shrink[] = [secondProof, foldedLine, callArguments, dialogueLine, proofWords, gateWords];
