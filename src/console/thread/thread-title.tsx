// Shows the title of a thread, and the form that changes it.
import { type FC, useLayoutEffect, useRef, useState } from "hono/jsx/dom";
import type { Session } from "../client/session.ts";
import { t } from "../messages/messages.ts";
import { Button } from "../parts/components.tsx";
import { onSubmit } from "../parts/events.ts";
import { TITLE_CHARS } from "../shell/thread-rows.ts";

type TitleProps = {
  readonly title: string;
  readonly session: Session;
  readonly renaming: boolean;
  readonly onDone: () => void;
};

export const ThreadTitle: FC<TitleProps> = ({ title, session, renaming, onDone }) =>
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
