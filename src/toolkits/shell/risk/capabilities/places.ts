// Resolves words of a command line against its working folder. Uses text only, and never reads the disk.
import type { Arg, ClosedPlace, Places, RiskContext } from "../model.ts";
import { expandBraces } from "../parse/globs.ts";

/** Stands for the path of an unknown workspace, so that relative words can be compared with each other. */
const UNKNOWN_WORKSPACE = ["\0workspace"];
/** Stands for the unknown path of the home folder `~`. */
export const HOME = "\0home";

const PROCESS_FILES =
  "environ mem maps smaps smaps_rollup numa_maps pagemap auxv stack syscall root cwd map_files task fd".split(" ");

export function createPlaces(options: {
  readonly workspace?: string | undefined;
  readonly closed?: readonly string[] | undefined;
}): Places {
  const workspace = options.workspace === undefined ? undefined : resolveFrom([], options.workspace);
  const root = workspace ?? UNKNOWN_WORKSPACE;
  const named = (options.closed ?? [".pawl"]).flatMap((path) => closedPlaces(path, root));
  const processes = PROCESS_FILES.map(
    (file): ClosedPlace => ({ components: ["proc", "*", file], code: "other_process", mention: undefined }),
  );
  const memory = [
    ["dev", "mem"],
    ["dev", "kmem"],
    ["proc", "kcore"],
  ].map((components): ClosedPlace => ({ components, code: "other_process", mention: undefined }));
  return { workspace, closed: [...named, ...processes, ...memory], explicit: options.closed !== undefined };
}

function closedPlaces(path: string, root: readonly string[]): readonly ClosedPlace[] {
  const components = resolveWord(path, root, root);
  if (!components || components.length === 0) return [];
  const own = isWithin(components, root) ? components.slice(root.length) : components;
  const name = own.slice(-2).map(escapeName).join("/+");
  const mention = new RegExp(`(?:^|[^\\w.-])${name}(?:$|[^\\w.-])`);
  const place: ClosedPlace = { components, code: "closed_path", mention };
  // A path inside a home folder may also be written with a tilde.
  const home = /^(?:home|Users)$/.test(components[0] ?? "") ? 2 : components[0] === "root" ? 1 : 0;
  return home === 0 ? [place] : [place, { ...place, components: [HOME, ...components.slice(home)] }];
}

const escapeName = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

export const rootOf = (places: Places): readonly string[] => places.workspace ?? UNKNOWN_WORKSPACE;

/** Returns the components of the path that a word names, or undefined if the text does not determine them. */
export function resolveWord(
  word: string,
  folder: readonly string[] | undefined,
  root: readonly string[],
): readonly string[] | undefined {
  const text = word
    .replaceAll("\\", "/")
    .replace(/^(?:\$\{?PWD\}?|~\+)(?=\/|$)/, ".")
    .replace(/^(?:\$\{?HOME\}?|\$env:(?:HOME|USERPROFILE)|%USERPROFILE%)(?=\/|$)/i, "~");
  if (/^~(?:\/|$)/.test(text)) return inHome(resolveFrom([HOME], text.slice(1)), root);
  if (text.startsWith("~")) return resolveFrom([HOME, ".."], text.slice(1));
  if (text.startsWith("/")) return resolveFrom([], text);
  if (/^[$%]/.test(text) || /^[a-z]:\//i.test(text)) return undefined;
  return folder && resolveFrom(folder, text);
}

/** Returns the word as an absolute or home path, or unchanged if its folder or the workspace is unknown. */
export function pathIn({ folder, places }: Pick<RiskContext, "folder" | "places">, word: string): string {
  const [first, ...rest] = resolveWord(word, folder, rootOf(places)) ?? [];
  if (first === undefined || first === UNKNOWN_WORKSPACE[0]) return word;
  return [first === HOME ? "~" : `/${first}`, ...rest].join("/");
}

/** Converts a path such as `~/app/src` to an absolute one if it is inside the workspace, such as `/home/me/app`. */
function inHome(path: readonly string[], root: readonly string[]): readonly string[] {
  const depth = /^(?:home|Users)$/.test(root[0] ?? "") ? 2 : root[0] === "root" ? 1 : 0;
  if (depth === 0 || path[0] !== HOME) return path;
  const rest = path.slice(1);
  return root.slice(depth).every((name, at) => rest[at] === name) ? [...root.slice(0, depth), ...rest] : path;
}

function resolveFrom(from: readonly string[], path: string): readonly string[] {
  const parts = [...from];
  for (const part of path.split("/")) {
    if (part === "" || part === ".") continue;
    if (part !== "..") parts.push(part);
    else if (parts.length > 0 && parts.at(-1) !== "..") parts.pop();
  }
  return parts;
}

/** The words that may be paths: the argument, text after `=`, `@` or `:`, and the value after a short option. */
export function pathWords({ value }: Arg): readonly string[] {
  const words = [value];
  const option =
    /^-{1,2}[\w.-]+=(.+)$/s.exec(value) ?? /^[\w.-]+=(.+)$/s.exec(value) ?? /^-[A-Za-z]([~./].*)$/s.exec(value);
  if (option?.[1]) words.push(option[1]);
  const marked = /^(?:[^@]*@)([~./\w].*)$/s.exec(value);
  if (marked?.[1]) words.push(marked[1]);
  if (/^[^:/]*:[^/]/.test(value) || /^[.~/][^:]*:/.test(value)) words.push(...value.split(":").filter(Boolean));
  return words.flatMap((word) => expandBraces(withWildcards(word.replace(/^file:\/\//, ""))));
}

/**
 * Replaces a variable that is part of a name with `*`, because `.paw$X` may be any name that starts with `.paw`. A name
 * that is only a variable is unchanged.
 */
const withWildcards = (word: string): string =>
  word
    .replace(/(?<=[\w.])(?:\$\{[^}]*\}|\$\w+|\$\([^)]*\)|`[^`]*`)/g, "*")
    .replace(/(?:\$\{[^}]*\}|\$\([^)]*\)|`[^`]*`)(?=[\w.])/g, "*")
    .replace(/\{\w+\.\.\w+(?:\.\.\d+)?\}/g, "*");

export function isWithin(path: readonly string[], root: readonly string[]): boolean {
  return root.every((name, at) => path[at] === name);
}
