// Rejects a gate, with a reason that is passed to the model.
import type { FC } from "hono/jsx/dom";
import { useState } from "hono/jsx/dom";

export const RejectForm: FC<{ onReject: (reason: string) => void; hint: string }> = ({ onReject, hint }) => {
  const [open, setOpen] = useState(false);
  const [reason, setReason] = useState("");
  if (!open) {
    return (
      <button key="ask" type="button" class="button" onClick={() => setOpen(true)}>
        Reject…
      </button>
    );
  }
  return (
    <div key="form" class="reject">
      <label class="field">
        <span>Reason (sent to the model)</span>
        <textarea
          name="reason"
          rows={2}
          placeholder={hint}
          onInput={(event: Event) => setReason((event.target as HTMLTextAreaElement).value)}
        />
      </label>
      <div class="row">
        <button type="button" class="button danger" onClick={() => onReject(reason.trim())}>
          Reject
        </button>
        <button type="button" class="button quiet-button" onClick={() => setOpen(false)}>
          Cancel
        </button>
      </div>
    </div>
  );
};
