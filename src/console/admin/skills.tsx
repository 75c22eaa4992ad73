// Lists the skills that agents can use, and shows the text of each.
import type { FC } from "hono/jsx/dom";
import type { Api } from "../client/api.ts";
import { useLoaded } from "../client/use-polled.ts";
import { t } from "../messages/messages.ts";
import { Disclosure, LongText, Pill, VisibleText } from "../parts/components.tsx";

export const Skills: FC<{ api: Api }> = ({ api }) => {
  const { value } = useLoaded(() => api.skills(), []);
  // A server without the toolkit has no such route.
  if (!value) return null;
  const { skills } = value;
  return (
    <section aria-label={t().agents.skills}>
      <h2 class="section-title">{t().agents.skills}</h2>
      <p class="quiet small">{skills.length === 0 ? t().agents.noSkills : t().agents.skillsLead}</p>
      <ul class="plain-list">
        {skills.map((skill) => (
          <li key={skill.name}>
            <strong>{skill.name}</strong> <VisibleText text={skill.description} />{" "}
            {skill.trust === "untrusted" ? <Pill tone="wait">{t().results.untrusted}</Pill> : null}
            <Disclosure label={t().common.details}>{() => <SkillText api={api} name={skill.name} />}</Disclosure>
          </li>
        ))}
      </ul>
    </section>
  );
};

const SkillText: FC<{ api: Api; name: string }> = ({ api, name }) => {
  const { value: skill } = useLoaded(() => api.skill(name), [name]);
  if (!skill) return <p class="quiet small">{t().common.loading}</p>;
  return (
    <>
      <LongText text={skill.body} />
      {skill.files.length > 0 ? (
        <p class="quiet small">
          {t().agents.files}: {t().common.list(skill.files)}
        </p>
      ) : null}
    </>
  );
};
