// Shows the header of a thread: its goal, its state, and the actions for the whole thread.
import { type FC, useLayoutEffect, useRef, useState } from "hono/jsx/dom";
import type { ThreadView } from "../../schema/turn-result.ts";
import type { Session } from "../client/session.ts";
import { isStopped, type ThreadData } from "../client/session-data.ts";
import { useStore } from "../client/store.ts";
import { t } from "../messages/messages.ts";
import { Button, ConfirmButton, Pill } from "../parts/components.tsx";
import { isChecked, onSubmit } from "../parts/events.ts";
import { RemoveButton } from "../parts/list-page.tsx";
import { Menu } from "../parts/menu.tsx";
import { stateLabel } from "../parts/state-labels.ts";
import { TITLE_CHARS } from "../shell/thread-rows.ts";

type ThreadHeaderProps = {
  readonly thread: ThreadView;
  readonly data: ThreadData;
  readonly session: Session;
  readonly onFork: (turn: number) => void;
  readonly onExport: () => void;
  readonly onDelete: () => void;
};

export const ThreadHeader: FC<ThreadHeaderProps> = ({ thread, data, session, onFork, onExport, onDelete }) => {
  const { renaming } = useStore(session.view);
  const setRenaming = (on: boolean): void => session.view.set({ renaming: on });
  const { label, tone } = stateLabel(thread, thread.background?.status, isStopped(data));
  const inBackground = thread.background?.status === "on";
  const isActive = thread.state !== "rest" && thread.state !== "failed";
  const pauseBackground = (): void => {
    if (data.pendingCommand === null) void session.controlBackground("pause");
  };
  const pause = inBackground ? isActive && pauseBackground : data.running && data.autoAdvance && session.pause;
  return (
    <header class="thread-head">
      <div class="thread-title">
        <ThreadTitle
          title={thread.title ?? data.title ?? thread.goal}
          session={session}
          renaming={renaming}
          onDone={() => setRenaming(false)}
        />
        <p class="row thread-facts">
          <Pill tone={tone}>{label}</Pill>
          <span class="quiet small">
            {thread.steps > 0 && thread.mode === "plan" && isActive
              ? t().thread.step(thread.step + 1, thread.steps)
              : ""}
            {thread.cancel_requested ? ` · ${t().thread.cancelRequested}` : ""}
          </span>
        </p>
      </div>
      <div class="row thread-actions">
        {pause ? (
          <Button key="pause" class="small" aria-busy={data.pendingCommand ? "true" : "false"} onClick={pause}>
            {t().background.pause}
          </Button>
        ) : null}
        {isActive && !data.running ? (
          <ConfirmButton
            key="cancel"
            class="button small"
            label={t().thread.cancelRun}
            confirmLabel={t().thread.confirmCancel}
            onConfirm={() => void session.send({ type: "cancel" })}
          />
        ) : null}
        <ThreadMenu
          key="menu"
          thread={thread}
          data={data}
          session={session}
          onRename={() => setRenaming(true)}
          onFork={() => onFork(thread.turn)}
          onExport={onExport}
          onDelete={onDelete}
        />
      </div>
    </header>
  );
};

type MenuProps = Omit<ThreadHeaderProps, "onFork"> & { readonly onFork: () => void; readonly onRename: () => void };

const ThreadMenu: FC<MenuProps> = ({ thread, data, session, onRename, onFork, onExport, onDelete }) => (
  <Menu label={t().thread.more}>
    {thread.background === null ? (
      <button
        key="background"
        type="button"
        class="menu-item"
        disabled={data.pendingCommand !== null}
        onClick={() => void session.controlBackground("run")}
      >
        {data.pendingCommand ? t().thread.afterThisTurn : t().thread.runInBackground}
      </button>
    ) : null}
    {thread.background?.status === "on" ? null : (
      <label key="auto" class="menu-item check">
        <input
          type="checkbox"
          name="auto"
          checked={data.autoAdvance}
          onChange={(event: Event) => session.setAutoAdvance(isChecked(event))}
        />{" "}
        {t().thread.continueAutomatically}
      </label>
    )}
    <button key="rename" type="button" class="menu-item" onClick={onRename}>
      {t().thread.rename}
    </button>
    <button key="fork" type="button" class="menu-item" onClick={onFork}>
      {t().thread.fork}
    </button>
    <button key="export" type="button" class="menu-item" onClick={onExport}>
      {t().thread.exportFile}
    </button>
    <RemoveButton key="delete" class="menu-item" onConfirm={onDelete} />
  </Menu>
);

type TitleProps = {
  readonly title: string;
  readonly session: Session;
  readonly renaming: boolean;
  readonly onDone: () => void;
};

const ThreadTitle: FC<TitleProps> = ({ title, session, renaming, onDone }) =>
  renaming ? (
    <RenameForm key="form" title={title} session={session} onDone={onDone} />
  ) : (
    <h1 key="title">{title || t().nav.noGoal}</h1>
  );

const RenameForm: FC<Omit<TitleProps, "renaming">> = ({ title, session, onDone }) => {
  const field = useRef<HTMLInputElement>(null);
  const [busy, setBusy] = useState(false);
  // The title may change while the form is open, for example when the thread is loaded again; the typed text stays.
  const [initial] = useState(title);
  useLayoutEffect(() => {
    field.current?.focus();
    field.current?.select();
  }, []);
  const save = async (): Promise<void> => {
    const next = field.current?.value.trim() ?? "";
    if (!next || busy) return;
    setBusy(true);
    const renamed = next === title || (await session.rename(next));
    setBusy(false);
    if (renamed) onDone();
  };
  return (
    <form
      class="row rename-form"
      onSubmit={onSubmit(() => void save())}
      onKeyDown={(event: KeyboardEvent) => {
        if (event.key === "Escape") onDone();
      }}
    >
      <input
        ref={field}
        class="grow"
        name="title"
        aria-label={t().thread.title}
        maxLength={TITLE_CHARS}
        autocomplete="off"
        value={initial}
      />
      <Button type="submit" class="small primary" disabled={busy}>
        {t().common.save}
      </Button>
      <Button class="small" onClick={onDone}>
        {t().common.cancel}
      </Button>
    </form>
  );
};
