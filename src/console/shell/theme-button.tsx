// Switches between light, dark and system theme. The choice is stored in this browser.
import { type FC, useState } from "hono/jsx/dom";
import { t } from "../messages/messages.ts";
import { TextButton } from "../parts/components.tsx";

const STORAGE_KEY = "pawl-theme";
const THEMES = ["system", "light", "dark"] as const;
type Theme = (typeof THEMES)[number];

const storedTheme = (): Theme => THEMES.find((theme) => theme === localStorage.getItem(STORAGE_KEY)) ?? "system";

export function applyTheme(theme: Theme = storedTheme()): void {
  if (theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

export const ThemeButton: FC = () => {
  const [theme, setTheme] = useState(storedTheme());
  const next = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? "system";
  return (
    <TextButton
      aria-label={t().nav.changeTheme(theme, next)}
      onClick={() => {
        localStorage.setItem(STORAGE_KEY, next);
        applyTheme(next);
        setTheme(next);
      }}
    >
      {t().nav.theme(theme)}
    </TextButton>
  );
};
