// Asks for an API key when the server requires one.
import { type FC, useRef } from "hono/jsx/dom";
import { t } from "../messages/messages.ts";
import { Button, Logo } from "../parts/components.tsx";
import { onSubmit } from "../parts/events.ts";

export const KeyForm: FC<{ message: string; onKey: (key: string) => void }> = ({ message, onKey }) => {
  const field = useRef<HTMLInputElement>(null);
  return (
    <main class="key-page">
      <form
        class="key-form"
        onSubmit={onSubmit(() => {
          const key = field.current?.value.trim() ?? "";
          if (key) onKey(key);
        })}
      >
        <Logo />
        <h1>{t().key.title}</h1>
        <p class="quiet" role="status">
          {message}
        </p>
        <label class="field">
          <span>{t().key.label}</span>
          <input ref={field} type="password" name="key" autocomplete="off" placeholder={t().key.placeholder} />
        </label>
        <Button type="submit" class="primary">
          {t().key.open}
        </Button>
        <p class="quiet small">{t().key.note}</p>
      </form>
    </main>
  );
};
