// Rejects a gate, with a reason for the model. Escape closes the form.
import { type FC, useLayoutEffect, useRef, useState } from "hono/jsx/dom";
import type { Gate } from "../../schema/gate.ts";
import type { Session } from "../client/session.ts";
import { useStore } from "../client/store.ts";
import { t } from "../messages/messages.ts";
import { Button } from "../parts/components.tsx";
import { inputValue, onSubmit, useKeyDown } from "../parts/events.ts";

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
  useKeyDown((event) => {
    if (event.key === "Escape" && document.querySelector("dialog[open]") === null) onClose();
  });
  return (
    <form class="reject" onSubmit={onSubmit(() => onReject(reason.trim()))}>
      <label class="field">
        <span>{t().gates.reasonField}</span>
        <textarea
          ref={field}
          name="reason"
          rows={2}
          placeholder={hint}
          onInput={(event: Event) => setReason(inputValue(event))}
        />
      </label>
      <div class="row">
        <Button type="submit" class="danger">
          {t().gates.reject}
        </Button>
        <Button class="quiet-button" onClick={onClose}>
          {t().common.cancel}
        </Button>
      </div>
    </form>
  );
};
