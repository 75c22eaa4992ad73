// Finds the known names that a caller may have meant. Returns none if no name is similar.
import { distance } from "fastest-levenshtein";

const NEAREST_MAX = 3;
/** No name is longer than this. The limit keeps a string of a megabyte from being compared character by character. */
const NAME_CHARS = 80;

export const nearestNames = (name: string, known: readonly string[]): readonly string[] =>
  known
    .map((near) => ({ near, far: distance(near, name.slice(0, NAME_CHARS)) }))
    .filter(({ far, near }) => far <= Math.max(2, Math.floor(near.length / 3)))
    .sort((a, b) => a.far - b.far)
    .slice(0, NEAREST_MAX)
    .map(({ near }) => near);
