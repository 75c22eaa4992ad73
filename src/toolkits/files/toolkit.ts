// Defines the files toolkit, which reads, searches and changes files in a folder of the host or in the thread itself.
import { defineToolkit } from "../../tools/toolkit.ts";
import { edit } from "./edit.ts";
import { findFiles } from "./find-files.ts";
import { grep } from "./grep.ts";
import { listDir } from "./list-dir.ts";
import { patch } from "./patch-file.ts";
import { readFile } from "./read-file.ts";
import { writeFile } from "./write-file.ts";

const TOOLS = [readFile, writeFile, listDir, findFiles, grep, edit, patch];

export const files = defineToolkit({
  name: "files",
  parts: ["files"],
  offered: "on request",
  tools: (parts) => TOOLS.map((create) => create(parts.files)),
});
