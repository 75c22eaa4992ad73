// Checks names, graph, statuses and templates of a workflow before anything runs. Returns all mistakes together.
import {
  BODY_VARIABLE,
  END,
  NAME_CHARS_MAX,
  ownValue,
  RESERVED_NAMES,
  START,
  START_STATUSES,
  STATUS_FIELD,
  SUSPEND,
  type Workflow,
  type WorkflowError,
} from "./definition.ts";
import { renderTemplate } from "./render.ts";
import { checkSchema, hasStatuses, propertiesOf, sampleOf, type Variant, variantsOf } from "./role-schema.ts";

const DEFAULT_STATUS = "_";

export function checkWorkflow(workflow: Workflow, stem: string | null): readonly WorkflowError[] {
  return [
    ...checkName(workflow, stem),
    ...Object.keys(workflow.roles).flatMap((name) => checkRole(workflow, name)),
    ...checkStart(workflow),
    ...Object.keys(workflow.graph).flatMap((node) => checkNode(workflow, node)),
    ...checkReachable(workflow),
  ];
}

const checkName = ({ name }: Workflow, stem: string | null): readonly WorkflowError[] => [
  ...checkLength("name", name),
  ...(stem === null || name === "" || name === stem
    ? []
    : [
        {
          path: "name",
          what: `is ${JSON.stringify(name)}, but the file is named ${JSON.stringify(stem)}`,
          legal: [stem],
        },
      ]),
];

const checkLength = (path: string, name: string): readonly WorkflowError[] =>
  name.length > NAME_CHARS_MAX ? [{ path, what: `a name has at most ${NAME_CHARS_MAX} characters` }] : [];

function checkRole({ roles, graph }: Workflow, name: string): readonly WorkflowError[] {
  const path = `roles.${name}`;
  const role = ownValue(roles, name);
  if (!role) return [];
  const variants = variantsOf(role.frontmatter);
  const body = [role.frontmatter, ...variants.map(({ schema }) => schema)].some((schema) =>
    Object.hasOwn(propertiesOf(schema), BODY_VARIABLE),
  );
  return [
    ...checkLength(path, name),
    ...(RESERVED_NAMES.includes(name) ? [{ path, what: "is a reserved name" }] : []),
    ...(Object.hasOwn(graph, name) ? [] : [{ path, what: "is not a node of the graph" }]),
    ...(!hasStatuses(role.frontmatter)
      ? [
          {
            path: `${path}.frontmatter`,
            what: `must define ${STATUS_FIELD} as a const, or as a const in every schema under oneOf`,
          },
        ]
      : []),
    ...(variants.some(({ status }) => status === SUSPEND)
      ? [{ path: `${path}.frontmatter`, what: `${SUSPEND} is available to every role and cannot be defined` }]
      : []),
    ...(body
      ? [{ path: `${path}.frontmatter`, what: `${BODY_VARIABLE} is provided by the runtime and cannot be defined` }]
      : []),
    ...checkSchema(role.frontmatter, `${path}.frontmatter`),
  ];
}

function checkStart({ graph }: Workflow): readonly WorkflowError[] {
  const start = ownValue(graph, START);
  if (!start) return [{ path: `graph.${START}`, what: "is missing", legal: START_STATUSES }];
  return START_STATUSES.filter((status) => !Object.hasOwn(start, status)).map((status) => ({
    path: `graph.${START}.${status}`,
    what: "is missing",
  }));
}

function checkNode(workflow: Workflow, node: string): readonly WorkflowError[] {
  const { graph, roles } = workflow;
  const path = `graph.${node}`;
  if (node === END) return [{ path, what: "the end has no edges" }];
  if (node === SUSPEND) return [{ path, what: "is not a node: every role can suspend" }];
  const role = ownValue(roles, node);
  if (node !== START && !role)
    return [{ path, what: "is not a role", legal: Object.keys(roles).filter((name) => !Object.hasOwn(graph, name)) }];
  const variants = role ? variantsOf(role.frontmatter) : [];
  const statuses = role ? variants.map(({ status }) => status) : START_STATUSES;
  const edges = graph[node] ?? {};
  const missing = role ? statuses.filter((status) => !Object.hasOwn(edges, status)) : [];
  return [
    ...missing.map((status) => ({ path: `${path}.${status}`, what: "is missing: the role can end with this status" })),
    ...Object.keys(edges).flatMap((status) => [
      ...checkStatus(`${path}.${status}`, status, statuses),
      ...checkEdge(workflow, node, status, variants),
    ]),
  ];
}

function checkStatus(path: string, status: string, statuses: readonly string[]): readonly WorkflowError[] {
  if (status === DEFAULT_STATUS)
    return [{ path, what: "there is no default edge; name every status", legal: statuses }];
  return statuses.includes(status) ? [] : [{ path, what: "is not a status of this node", legal: statuses }];
}

function checkEdge(
  { graph, roles }: Workflow,
  node: string,
  status: string,
  variants: readonly Variant[],
): readonly WorkflowError[] {
  const edge = graph[node]?.[status];
  if (!edge) return [];
  const path = `graph.${node}.${status}`;
  const known = edge.role === "" || edge.role === END || Object.hasOwn(roles, edge.role);
  const target = known
    ? []
    : [
        {
          path: `${path}.role`,
          what: `${JSON.stringify(edge.role)} is not a role`,
          legal: [...Object.keys(roles), END],
        },
      ];
  const variant = variants.find((one) => one.status === status);
  // The output that a thread starts with is not known yet, so its variables cannot be checked.
  if (node === START || !variant) return target;
  const sample = { ...(sampleOf(variant.schema) as Record<string, unknown>), [BODY_VARIABLE]: "text" };
  const rendered = [
    { field: "prompt", template: edge.prompt },
    { field: "location", template: edge.location ?? "" },
  ].flatMap(({ field, template }) => {
    const text = renderTemplate(template, sample, { strict: true });
    return text.ok ? [] : [{ path: `${path}.${field}`, what: text.problem.message, legal: Object.keys(sample) }];
  });
  return [...target, ...rendered];
}

function checkReachable({ graph, roles }: Workflow): readonly WorkflowError[] {
  const reached = new Set<string>([START]);
  // Iterating over a set includes entries that are added during the iteration.
  for (const node of reached) for (const { role } of Object.values(ownValue(graph, node) ?? {})) reached.add(role);
  return Object.keys(roles)
    .filter((name) => !reached.has(name) && Object.hasOwn(graph, name))
    .map((name) => ({ path: `roles.${name}`, what: `cannot be reached from ${START}` }));
}
