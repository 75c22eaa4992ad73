// Asks for an API key when the server requires one.
import type { FC } from "hono/jsx/dom";
import { useRef } from "hono/jsx/dom";
import { Logo } from "../parts/components.tsx";

export const KeyForm: FC<{ message: string; onKey: (key: string) => void }> = ({ message, onKey }) => {
  const field = useRef<HTMLInputElement>(null);
  return (
    <main class="key-page">
      <form
        class="key-form"
        onSubmit={(event: Event) => {
          event.preventDefault();
          const key = field.current?.value.trim() ?? "";
          if (key) onKey(key);
        }}
      >
        <Logo />
        <h1>This server requires an API key</h1>
        <p class="quiet" role="status">
          {message}
        </p>
        <label class="field">
          <span>API key</span>
          <input ref={field} type="password" name="key" autocomplete="off" placeholder="pawl_…" />
        </label>
        <button type="submit" class="button primary">
          Open the console
        </button>
        <p class="quiet small">The key is stored in this tab until you close it.</p>
      </form>
    </main>
  );
};
