// Maven and Gradle: building is quiet; publishing, running programs and build files from anywhere ask.
import type { Rule } from "./model.ts";
import { NONE, sameRule } from "./model.ts";
import { has, readOptions, valuesOf } from "./options.ts";
import { isTemporary } from "./paths.ts";

const maven: Rule = (command) => {
  const options = readOptions(command.args, "f P pl D s settings file projects");
  if (valuesOf(options, "f file s settings").some(isTemporary)) return ["script"];
  const goals = options.operands.map((arg) => arg.value);
  if (goals.some((goal) => /^(?:deploy|site-deploy|release:.*|deploy:.*|nexus.*|versions:commit)$/.test(goal)))
    return ["publish"];
  return goals.some((goal) =>
    /^(?:exec:exec|antrun:run|flyway:clean|liquibase:drop.*|docker:(?:push|remove)|wagon:.*|groovy:.*|scm:.*)$/.test(
      goal,
    ),
  )
    ? ["script"]
    : NONE;
};

const gradle: Rule = (command) => {
  const options = readOptions(
    command.args,
    "p b c x I P D project-dir build-file settings-file exclude-task init-script tests",
  );
  if (valuesOf(options, "p b c project-dir build-file settings-file").some(isTemporary)) return ["script"];
  const words = options.operands.map((arg) => arg.value);
  if (has(readOptions(command.args, "I init-script p"), "I init-script")) return ["code"];
  return words.some((word) =>
    /(?:^|:)(?:publish(?!ToMavenLocal)|upload|release|deploy|closeAndRelease|flywayClean|dropAll|undeploy)/i.test(word),
  )
    ? ["publish"]
    : NONE;
};

export const jvmRules: readonly [string, Rule][] = [
  ...sameRule("mvn mvnw mvnd", maven),
  ...sameRule("gradle gradlew", gradle),
];
