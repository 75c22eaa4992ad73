// Judges Maven, Gradle and java. Building is allowed; publishing, running other code, and files from temporary folders
// need approval.
import { NONE, type Rule, type RuleTable } from "../../model.ts";
import { anyWord, has, readOptions, valuesOf, wordsOf } from "../../parse/options.ts";
import { isTemporary } from "../../parse/paths.ts";

const maven: Rule = (command) => {
  const options = readOptions(command.args, "f P pl D s settings file projects");
  if (valuesOf(options, "f file s settings").some(isTemporary)) return ["script"];
  const goals = wordsOf(options.operands);
  if (goals.some((goal) => /^(?:deploy|site-deploy|release:.*|deploy:.*|nexus.*|versions:commit)$/.test(goal)))
    return ["publish"];
  if (anyWord(command.args, /^-D(?:exec|ant|script|groovy)[\w.]*=/)) return ["code"];
  return goals.every((goal) => [PHASE, GOAL, LOCAL_GOAL].some((known) => known.test(goal))) ? NONE : ["script"];
};

// Lifecycle phases and goals of known plug-ins that build, test, check or run the project, but change no database or
// server and send nothing elsewhere. A goal of another plug-in may run anything.
const PHASE = /^[a-z-]+$/;
const GOAL =
  /^(?:dependency|surefire|failsafe|compiler|resources|jar|war|help|versions|enforcer|checkstyle|spotless|spotbugs|pmd|jacoco|javadoc|source|spring-boot|quarkus|archetype|site|wrapper|fmt|formatter|license|clean|install|shade|assembly|jetty|jooq|micronaut|mn|kotlin|scala|asciidoctor|openapi-generator|sortpom|tidy|buildplan|dependency-check|pitest|org\.pitest:pitest-maven|com\.diffplug\.spotless:spotless-maven-plugin):(?!\w*deploy|[\w-]+-deploy|push|remove|drop)[\w-]+$/;
const LOCAL_GOAL =
  /^(?:jib:(?:dockerBuild|buildTar)|docker:build|tomcat7:run|flyway:(?:info|validate)|liquibase:(?:status|validate|history|diff|updateSQL|rollbackSQL))$/;

const GRADLE_PUBLISHES =
  /(?:^|:)(?:publish(?!ToMavenLocal)|upload|release|deploy|closeAndRelease|flyway(?!Info|Validate)|liquibase(?!Status|Validate)|jib$|sonar|dockerPush|push|dropAll|undeploy)/i;
const gradle: Rule = (command) => {
  const options = readOptions(
    command.args,
    "p b c x I P D project-dir build-file settings-file exclude-task init-script tests",
  );
  if (valuesOf(options, "p b c project-dir build-file settings-file").some(isTemporary)) return ["script"];
  const words = wordsOf(options.operands);
  if (has(readOptions(command.args, "I init-script p"), "I init-script")) return ["code"];
  return words.some((word) => GRADLE_PUBLISHES.test(word)) ? ["publish"] : NONE;
};

const java: Rule = (command) => {
  const values = wordsOf(command.args);
  if (values.some((value) => /^-(?:javaagent|agentpath|agentlib:(?!jdwp))/.test(value))) return ["code"];
  const jar = values[values.indexOf("-jar") + 1];
  return values.includes("-jar") && jar !== undefined && /^(?:\/(?:tmp|var\/tmp|dev\/shm)|https?:)/.test(jar)
    ? ["script"]
    : NONE;
};

export const jvmRules: RuleTable = {
  "mvn mvnw mvnd": maven,
  "gradle gradlew": gradle,
  java,
};
