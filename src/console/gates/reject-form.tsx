// Rejects a gate, with a reason that is passed to the model.
import type { FC } from "hono/jsx/dom";
import { useState } from "hono/jsx/dom";
import { t } from "../messages/messages.ts";

export const RejectForm: FC<{ onReject: (reason: string) => void; hint: string }> = ({ onReject, hint }) => {
  const [open, setOpen] = useState(false);
  const [reason, setReason] = useState("");
  if (!open) {
    return (
      <button key="ask" type="button" class="button" onClick={() => setOpen(true)}>
        {t().gates.rejectMore}
      </button>
    );
  }
  return (
    <div key="form" class="reject">
      <label class="field">
        <span>{t().gates.reason}</span>
        <textarea
          name="reason"
          rows={2}
          placeholder={hint}
          onInput={(event: Event) => setReason((event.target as HTMLTextAreaElement).value)}
        />
      </label>
      <div class="row">
        <button type="button" class="button danger" onClick={() => onReject(reason.trim())}>
          {t().gates.reject}
        </button>
        <button type="button" class="button quiet-button" onClick={() => setOpen(false)}>
          {t().common.cancel}
        </button>
      </div>
    </div>
  );
};
