// Stores the skills that agents write, in one document per tenant. A person approves each change.
import * as z from "zod";
import { SKILL_DESCRIPTION_CHARS_MAX, SKILL_NAME, SKILL_PATH } from "../../ports/data/skill-folder.ts";
import type { DocumentStore } from "../../ports/documents.ts";
import { exceedsBytes } from "../../schema/byte-length.ts";
import type { TenantId } from "../../schema/ids.ts";
import { fail, ok, type Result } from "../../schema/problem.ts";
import { OutputTrust } from "../../schema/receipt.ts";
import { changeDocument, type DocumentPlace, readableItems, readDocument } from "../change-document.ts";

export const SkillName = z.string().regex(SKILL_NAME, "must be 1 to 64 lower-case letters, digits and inner hyphens");
export const SkillPath = z.string().regex(SKILL_PATH, "must be a relative path of letters, digits, _, - and .");
export const Description = z.string().trim().min(1).max(SKILL_DESCRIPTION_CHARS_MAX);

export const SKILLS_MAX = 64;
const DOCUMENT_BYTES_MAX = 250_000;

export const SkillFiles = z.record(SkillPath, z.string().max(32_768));
const StoredSkill = z.object({
  name: SkillName,
  description: Description,
  body: z.string(),
  files: SkillFiles,
  version: z.int().min(1),
  /** Untrusted if it was written in a thread that had read untrusted text. */
  trust: OutputTrust,
  saved_at: z.iso.datetime(),
  /** The id of the effect that saved the skill, so that a resent call changes nothing. */
  effect: z.string(),
});
export type StoredSkill = z.infer<typeof StoredSkill>;

const Document = z.object({
  skills: z.array(z.unknown()),
  /** The ids of the effects that removed a skill. A resent call must not remove a skill that was written in between. */
  removed: z.array(z.string()).max(SKILLS_MAX),
});
type Document = z.infer<typeof Document>;
/** `unread` contains skills that cannot be read. They are saved unchanged. */
type Skills = {
  readonly skills: readonly StoredSkill[];
  readonly removed: readonly string[];
  readonly unread: readonly unknown[];
};

function skillsOf({ skills: values, removed }: Document): Skills {
  const { items: skills, unread } = readableItems(StoredSkill, values);
  return { skills, removed, unread };
}

const documentOf = ({ skills, removed, unread }: Skills): Document => ({
  skills: [...skills, ...unread],
  removed: [...removed],
});

export type SkillChange =
  | { readonly action: "save"; readonly skill: Omit<StoredSkill, "version"> }
  | { readonly action: "remove"; readonly name: string; readonly effect: string };

export type StoredSkills = {
  readonly list: (tenant: TenantId) => Promise<Result<readonly StoredSkill[]>>;
  /** Returns the version that is stored now, or 0 if the skill was removed. */
  readonly change: (tenant: TenantId, change: SkillChange) => Promise<Result<number>>;
  readonly happened: (tenant: TenantId, effect: string) => Promise<Result<number | null>>;
};

export function createStoredSkills(documents: DocumentStore): StoredSkills {
  const place = (tenant: TenantId): DocumentPlace<Document> => ({
    documents,
    at: { tenant, kind: "skill", id: "all" },
    schema: Document,
  });
  return {
    async list(tenant) {
      const loaded = await readDocument(place(tenant));
      return loaded.ok ? ok(loaded.value ? skillsOf(loaded.value.value).skills : []) : loaded;
    },
    change: (tenant, change) =>
      changeDocument(place(tenant), (current) => apply(current ? skillsOf(current) : EMPTY, change)),
    async happened(tenant, effect) {
      const loaded = await readDocument(place(tenant));
      return loaded.ok ? ok(loaded.value && versionBy(skillsOf(loaded.value.value), effect)) : loaded;
    },
  };
}

const EMPTY: Skills = { skills: [], removed: [], unread: [] };

function versionBy({ skills, removed }: Skills, effect: string): number | null {
  if (removed.includes(effect)) return 0;
  return skills.find((skill) => skill.effect === effect)?.version ?? null;
}

type Applied = Result<{ readonly next: Document | null; readonly result: number }>;

function apply(current: Skills, change: SkillChange): Applied {
  const done = versionBy(current, change.action === "save" ? change.skill.effect : change.effect);
  if (done !== null) return ok({ next: null, result: done });
  const name = change.action === "save" ? change.skill.name : change.name;
  const before = current.skills.find((skill) => skill.name === name);
  const others = current.skills.filter((skill) => skill.name !== name);
  if (change.action === "remove") {
    if (!before) return fail("skill_not_found", `There is no stored skill named ${name}.`);
    const removed = [change.effect, ...current.removed].slice(0, SKILLS_MAX);
    return ok({ next: documentOf({ ...current, skills: others, removed }), result: 0 });
  }
  const version = (before?.version ?? 0) + 1;
  const next = documentOf({ ...current, skills: [...others, { ...change.skill, version }] });
  if (next.skills.length > SKILLS_MAX) return fail("tool_refused", `At most ${SKILLS_MAX} skills can be stored.`);
  if (exceedsBytes(JSON.stringify(next), DOCUMENT_BYTES_MAX))
    return fail("tool_refused", "The stored skills would exceed 250 KB in total. Shorten or remove one.");
  return ok({ next, result: version });
}
