// Defines the actions of the open thread for the command palette. The thread's page registers them while it is shown.
import type { ThreadView } from "../../schema/turn-result.ts";
import type { Session } from "../client/session.ts";
import type { ThreadData } from "../client/session-data.ts";
import { createStore } from "../client/store.ts";
import { approveOpenGate } from "../gates/approve-guard.ts";
import { t } from "../messages/messages.ts";

export type ThreadAction = {
  readonly id: string;
  readonly label: string;
  readonly confirm?: string;
  readonly run: () => void;
};

/** The actions, computed from the current state when the palette opens. */
export const threadActionsStore = createStore<{ readonly list: () => readonly ThreadAction[] }>({ list: () => [] });

type Context = {
  readonly session: Session;
  readonly onFork: (turn: number) => void;
  readonly onExport: () => void;
};

export function threadActions({ session, onFork, onExport }: Context): readonly ThreadAction[] {
  const data = session.data.get();
  const { thread } = data;
  if (!thread) return [];
  return [
    ...gateActions(thread, session),
    ...runActions(thread, data, session),
    { id: "rename", label: t().thread.rename, run: () => session.view.set({ renaming: true }) },
    { id: "fork", label: t().thread.fork, run: () => onFork(thread.turn) },
    { id: "export", label: t().thread.exportFile, run: onExport },
    ...thread.remembered_approvals.map((approval) => ({
      id: `revoke-${approval.id}`,
      label: t().common.named(t().gates.revoke, `${approval.tool} ${approval.shown}`),
      run: () => void session.send({ type: "revoke", approval_id: approval.id }),
    })),
  ];
}

function gateActions({ gate }: ThreadView, session: Session): readonly ThreadAction[] {
  if (gate?.kind !== "plan" && gate?.kind !== "confirmation") return [];
  const isOpen = (): boolean => session.data.get().thread?.gate?.id === gate.id;
  return [
    {
      id: "approve",
      label: gate.kind === "plan" ? t().gates.approvePlan : t().gates.approve,
      // Another gate may have opened since the palette was opened.
      run: () => isOpen() && approveOpenGate(),
    },
    { id: "reject", label: t().gates.rejectMore, run: () => session.view.set({ rejectedGate: gate.id }) },
  ];
}

function runActions({ state, background }: ThreadView, data: ThreadData, session: Session): readonly ThreadAction[] {
  const isActive = state !== "rest" && state !== "failed";
  const command = ({ on: "pause", paused: "resume", dead: "run", none: "run" } as const)[background?.status ?? "none"];
  const label = { pause: t().background.pause, resume: t().background.resume, run: t().thread.runInBackground }[
    command
  ];
  return [
    ...(isActive ? [{ id: command, label, run: () => void session.controlBackground(command) }] : []),
    ...(isActive && !data.running
      ? [
          {
            id: "cancel",
            label: t().thread.cancelRun,
            confirm: t().thread.confirmCancel,
            run: () => void session.send({ type: "cancel" }),
          },
        ]
      : []),
  ];
}
