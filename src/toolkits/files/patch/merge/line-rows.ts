// Maps lines of the old text to lines of the file, as one ordered list that covers both completely.

import { isBlank } from "../source-text.ts";
import { alignLines, compareLine, lineKey } from "./line-alignment.ts";

/** A row usually has one line per side, several if lines are wrapped differently, and none if a side lacks the line. */
export type AlignedRow = { readonly old: readonly number[]; readonly file: readonly number[] };

export function alignIntoRows(old: readonly string[], file: readonly string[]): AlignedRow[] {
  const oldKeys = old.map(lineKey);
  const fileKeys = file.map(lineKey);
  if (oldKeys.length === fileKeys.length && oldKeys.every((key, index) => key === fileKeys[index]))
    return old.map((_, index) => ({ old: [index], file: [index] }));
  return oldKeys.join("") === fileKeys.join("") ? rowsByText(oldKeys, fileKeys) : rowsBySimilarity(old, file);
}

/** Finds the rows if both sides have the same characters with different line breaks. */
function rowsByText(oldKeys: readonly string[], fileKeys: readonly string[]): AlignedRow[] {
  const rows: AlignedRow[] = [];
  let i = 0;
  let j = 0;
  while (i < oldKeys.length || j < fileKeys.length) {
    const oldBlank = oldKeys[i] === "";
    const fileBlank = fileKeys[j] === "";
    if (oldBlank || fileBlank || i >= oldKeys.length || j >= fileKeys.length) {
      rows.push({
        old: i < oldKeys.length && (oldBlank || !fileBlank) ? [i++] : [],
        file: j < fileKeys.length && (fileBlank || !oldBlank) ? [j++] : [],
      });
      continue;
    }
    const row: { old: number[]; file: number[] } = { old: [], file: [] };
    let ahead = 0;
    do {
      if (ahead <= 0) {
        ahead += oldKeys[i]?.length ?? 0;
        row.old.push(i++);
      } else {
        ahead -= fileKeys[j]?.length ?? 0;
        row.file.push(j++);
      }
    } while ((ahead !== 0 || row.file.length === 0) && (i < oldKeys.length || j < fileKeys.length));
    rows.push(row);
  }
  return rows;
}

function rowsBySimilarity(old: readonly string[], file: readonly string[]): AlignedRow[] {
  const compared = (lines: readonly string[]) =>
    lines.flatMap((line, at) => (isBlank(line) ? [] : [compareLine(line, at)]));
  const oldLines = compared(old);
  const fileLines = compared(file);
  const slack = Math.abs(oldLines.length - fileLines.length) + 4;
  const rows: AlignedRow[] = [];
  let i = 0;
  let j = 0;
  const { pairs } = alignLines(oldLines, fileLines, { lead: 0, slack });
  for (const pair of [...pairs, null]) {
    const nextOld = pair ? (oldLines[pair.old]?.at ?? 0) : old.length;
    const nextFile = pair ? (fileLines[pair.file]?.at ?? 0) : file.length;
    while (i < nextOld || j < nextFile) {
      const bothBlank = i < nextOld && j < nextFile && isBlank(old[i] ?? "") && isBlank(file[j] ?? "");
      if (bothBlank) rows.push({ old: [i++], file: [j++] });
      else if (i < nextOld && (j >= nextFile || !isBlank(old[i] ?? ""))) rows.push({ old: [i++], file: [] });
      else if (j < nextFile) rows.push({ old: [], file: [j++] });
    }
    if (pair) rows.push({ old: [i++], file: [j++] });
  }
  return rows;
}
