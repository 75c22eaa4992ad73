// Lists the skills that agents can use, and shows the text of each.
import { type FC, useLayoutEffect, useState } from "hono/jsx/dom";
import type { SkillDetails, SkillView } from "../client/admin-api.ts";
import type { Api } from "../client/api.ts";
import { t } from "../messages/messages.ts";
import { Disclosure, LongText, Pill, VisibleText } from "../parts/components.tsx";

export const Skills: FC<{ api: Api }> = ({ api }) => {
  const [skills, setSkills] = useState<readonly SkillView[] | null>(null);
  useLayoutEffect(() => {
    void api.skills().then((listed) => setSkills(listed.ok ? listed.value.skills : null));
  }, []);
  // A server without the toolkit has no such route.
  if (!skills) return null;
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
  const [skill, setSkill] = useState<SkillDetails | null>(null);
  useLayoutEffect(() => {
    void api.skill(name).then((read) => setSkill(read.ok ? read.value : null));
  }, [name]);
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
