// Rejects a gate, with a reason for the model. Escape closes the form.
import { type FC, useLayoutEffect, useRef, useState } from "hono/jsx/dom";
import type { Gate } from "../../schema/gate.ts";
import type { Session } from "../client/session.ts";
import { useStore } from "../client/store.ts";
import { t } from "../messages/messages.ts";

type Props = {
  readonly gate: Gate;
  readonly session: Session;
  readonly onReject: (reason: string) => void;
  readonly hint: string;
};

export const RejectForm: FC<Props> = ({ gate, session, onReject, hint }) => {
  const { rejectedGate } = useStore(session.view);
  const open = rejectedGate === gate.id;
  const wasOpen = useRef(false);
  const opener = useRef<HTMLButtonElement>(null);
  const setOpen = (on: boolean): void => session.view.set({ rejectedGate: on ? gate.id : null });
  useLayoutEffect(() => {
    // Moves the focus back, because the focused form was removed. The button element exists only after this render.
    if (wasOpen.current && !open) setTimeout(() => opener.current?.focus());
    wasOpen.current = open;
  }, [open]);
  if (!open) {
    return (
      <button key="ask" ref={opener} type="button" class="button" onClick={() => setOpen(true)}>
        {t().gates.rejectMore}
      </button>
    );
  }
  return <ReasonForm key="form" hint={hint} onReject={onReject} onClose={() => setOpen(false)} />;
};

type ReasonProps = Pick<Props, "onReject" | "hint"> & { readonly onClose: () => void };

const ReasonForm: FC<ReasonProps> = ({ hint, onReject, onClose }) => {
  const [reason, setReason] = useState("");
  const field = useRef<HTMLTextAreaElement>(null);
  useLayoutEffect(() => field.current?.focus(), []);
  // Listens on the document, because the focus may have moved to another part of the card.
  useLayoutEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.key === "Escape" && document.querySelector("dialog[open]") === null) onClose();
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, []);
  return (
    <form
      class="reject"
      onSubmit={(event: Event) => {
        event.preventDefault();
        onReject(reason.trim());
      }}
    >
      <label class="field">
        <span>{t().gates.reasonField}</span>
        <textarea
          ref={field}
          name="reason"
          rows={2}
          placeholder={hint}
          onInput={(event: Event) => setReason((event.target as HTMLTextAreaElement).value)}
        />
      </label>
      <div class="row">
        <button type="submit" class="button danger">
          {t().gates.reject}
        </button>
        <button type="button" class="button quiet-button" onClick={onClose}>
          {t().common.cancel}
        </button>
      </div>
    </form>
  );
};
