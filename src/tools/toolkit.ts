// Defines a toolkit as one capability: its tools, its routes, and what it stores for a thread. All toolkits are plugged in the same way.
import type { Clock } from "../ports/clock.ts";
import type { Crew } from "../ports/crew/crew.ts";
import type { Channels } from "../ports/data/channel-settings.ts";
import type { CodeSettings } from "../ports/data/code-settings.ts";
import type { DataSources } from "../ports/data/data-source.ts";
import type { ImageSettings } from "../ports/data/image-settings.ts";
import type { LanguageServer } from "../ports/data/language-server.ts";
import type { SkillFolder } from "../ports/data/skill-folder.ts";
import type { DavAccounts } from "../ports/dav/dav-accounts.ts";
import type { DocumentRef, DocumentStore } from "../ports/documents.ts";
import type { Fetcher } from "../ports/fetcher.ts";
import type { CommandPlaces, Operations } from "../ports/operations.ts";
import type { Schedules } from "../ports/schedules.ts";
import type { Triggers } from "../ports/triggers.ts";
import type { TenantId, ThreadRef } from "../schema/ids.ts";
import type { CreateInput } from "../schema/input.ts";
import type { Result } from "../schema/problem.ts";
import type { Tool, ToolContext } from "./define-tool.ts";
import type { ToolkitRoute } from "./route.ts";

/** Returns the files of one folder for all threads, or the virtual files of the calling thread. `places` states where commands run, if they can. */
export type OperationsFor = ((context: ToolContext) => Operations) & { readonly places?: CommandPlaces };

/** The parts that a host may provide. A toolkit names those it needs; every host has a clock. */
export type Parts = {
  readonly clock: Clock;
  readonly files?: OperationsFor;
  /** File operations that can also run commands. */
  readonly process?: OperationsFor;
  /** The same operations with PowerShell, if pwsh is installed. */
  readonly powershell?: OperationsFor;
  readonly fetch?: Fetcher;
  readonly documents?: DocumentStore;
  readonly data?: DataSources;
  readonly channels?: Channels;
  readonly code?: CodeSettings;
  readonly language?: LanguageServer;
  readonly images?: ImageSettings;
  readonly search?: { readonly url: string };
  readonly skills?: SkillFolder;
  readonly dav?: DavAccounts;
  readonly schedules?: Schedules;
  readonly triggers?: Triggers;
  readonly crew?: Crew;
};
export type PartName = Exclude<keyof Parts, "clock">;
export type PartsWith<P extends PartName> = Parts & Required<Pick<Parts, P>>;

/** Hooks that keep the data of a toolkit in step with its thread. Each of them may run twice with the same arguments. */
export type ThreadDataHooks<P> = {
  /** The request field that `created` handles. Without it, `created` is not called. */
  readonly created_for?: keyof CreateInput;
  /** Called before a thread is created. Returning a problem refuses the thread. */
  readonly created?: (parts: P, tenant: TenantId, input: CreateInput) => Promise<Result<void>>;
  /** Called before the fork is visible. Copies the current data, not the data at the turn of the fork. */
  readonly forked?: (parts: P, from: ThreadRef, to: ThreadRef) => Promise<Result<void>>;
  /** Called before the thread's records are removed. */
  readonly removed?: (parts: P, at: ThreadRef) => Promise<Result<void>>;
  /** Returns JSON for the export file, or null if there is nothing to export. */
  readonly exported?: (parts: P, at: ThreadRef) => Promise<Result<unknown>>;
  /**
   * Called before the imported thread is visible, with the data that `exported` returned, possibly in another release. Documents that it saves with
   * the id of the thread are stored together with the records of the thread, and not before.
   */
  readonly imported?: (parts: P, at: ThreadRef, data: unknown) => Promise<Result<void>>;
  /** Called if the import was refused after `imported`. Removes the data that `imported` stored outside the documents of the thread. */
  readonly withdrawn?: (parts: P, at: ThreadRef, data: unknown) => Promise<Result<void>>;
};

/** With `on request`, only threads whose agent or creator names the toolkit see its tools. */
export type ToolkitOffer = "always" | "on request";

/** `time_zone` is the zone of the machine. */
export type SampleTarget = { readonly tenant: TenantId; readonly now: number; readonly time_zone: string };

export type ToolkitSpec<P extends PartName> = {
  readonly name: string;
  /** The toolkit is absent on hosts that lack one of these. */
  readonly parts: readonly P[];
  readonly tools: (parts: PartsWith<P>) => readonly Tool[];
  readonly offered: ToolkitOffer;
  /** What a model must know to use these tools, such as units and terms. At most six lines, which the prompt contains once. */
  readonly facts?: readonly string[];
  /** Watches tools that are defined elsewhere and may change while threads run. `update` replaces all tools of the toolkit. */
  readonly watch?: (update: (tools: readonly Tool[]) => void) => void;
  readonly routes?: (parts: PartsWith<P>) => readonly ToolkitRoute[];
  readonly threads?: ThreadDataHooks<PartsWith<P>>;
  /** Creates data to try the toolkit with, for the first start with the demo model. Does nothing if the tenant has or had data. */
  readonly sample?: (parts: PartsWith<P>, target: SampleTarget) => Promise<Result<void>>;
  /** A document that a tenant has as soon as it has or had data. If it exists, `sample` is not called, so that later starts need not load the toolkit. */
  readonly sample_document?: Pick<DocumentRef, "kind" | "id">;
};

/** Receives all parts that it names, and whatever else the host has. */
export type Toolkit = ToolkitSpec<PartName>;

/** The type checks that the toolkit uses only the parts it names. */
export const defineToolkit = <const P extends PartName>(spec: ToolkitSpec<P>): Toolkit => spec as unknown as Toolkit;

export type AbsentToolkit = { readonly name: string; readonly missing: readonly PartName[] };

export const absentToolkits = (toolkits: readonly Toolkit[], parts: readonly string[]): readonly AbsentToolkit[] =>
  toolkits
    .map(({ name, parts: needed }) => ({ name, missing: needed.filter((part) => !parts.includes(part)) }))
    .filter(({ missing }) => missing.length > 0);
