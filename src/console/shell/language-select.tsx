// Switches the language of the console. The choice is stored in this browser.
import type { FC } from "hono/jsx/dom";
import { useStore } from "../client/store.ts";
import { chooseLanguage, LANGUAGES, type Language, languageStore, t } from "../messages/messages.ts";
import { inputValue } from "../parts/events.ts";

export const LanguageSelect: FC = () => {
  const { language } = useStore(languageStore);
  return (
    <select
      class="language-select"
      name="language"
      aria-label={t().nav.language}
      onChange={(event: Event) => void chooseLanguage(inputValue(event) as Language)}
    >
      {Object.entries(LANGUAGES).map(([id, name]) => (
        <option key={id} value={id} selected={id === language}>
          {name}
        </option>
      ))}
    </select>
  );
};
