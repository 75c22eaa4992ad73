// Plans several blocks of work. Finds their total length, the length of each block, and the last possible day.
import type { ExecuteDecision } from "../../../schema/decision/decision.ts";
import { dueDateIn } from "./listed-events.ts";
import { addDays, withoutDates } from "./parse-dates.ts";
import { lengthsIn, parseWhen, withoutTimes } from "./parse-when.ts";
import { giveUp, proposeCall, type Scene } from "./scene.ts";
import { titleIn } from "./title-and-place.ts";

const BLOCK_WORDS = /\b(?:in |into )?(?:\d+ )?(?:blocks?|sessions?)(?: of)?\b|\beach\b|分成|每次/gi;

/**
 * Reads "4 hours in 2 hour blocks" or "three blocks of 45 minutes". The longer of two lengths is the total. A single
 * length is that of each block in "blocks of", and otherwise the total.
 */
function blockLengths(text: string): { readonly total: number; readonly block: number } {
  const [first = 120, second] = lengthsIn(text);
  const count = Number(
    /\b(\d+) (?:\w+ )?(?:blocks|sessions|times)\b|分?(\d+)次/.exec(text)?.slice(1).find(Boolean) ?? 0,
  );
  if (second !== undefined) return { total: Math.max(first, second), block: Math.min(first, second) };
  if (count > 0)
    return /\b(?:blocks|sessions) of\b|每次/.test(text)
      ? { total: first * count, block: first }
      : { total: first, block: Math.ceil(first / count) };
  return { total: first, block: Math.min(first, 60) };
}

/** "Next week" limits both the first and the last day; "by Friday" limits only the last day. */
export function planBlocks(scene: Scene): ExecuteDecision {
  const { request, phrases, today, listed } = scene;
  const { total, block } = blockLengths(request.text);
  const named = parseWhen(request.text, today);
  const due = /\bdue\b|\bdeadline\b|截止|到期/i.test(request.text) ? dueDateIn(listed, request.original) : null;
  const { date, until } = due === null ? named : { date: null, until: due };
  const isLimit = /\b(?:by|until|before)\b|之前|以前|前/i.test(request.text);
  const from = date !== null && !isLimit ? { from: date } : {};
  const title = titleIn(withoutDates(withoutTimes(request.text)).replace(BLOCK_WORDS, " "));
  if (!title || /^[^\p{L}\p{N}]|周|\b(?:not|every|except)\b/iu.test(title)) return giveUp(phrases.no_title);
  return proposeCall(scene, "plan_blocks", {
    title,
    total_min: total,
    block_min: block,
    ...from,
    until: isLimit && until !== null && named.clock !== null ? `${until}T${named.clock}` : (until ?? addDays(today, 7)),
  });
}
