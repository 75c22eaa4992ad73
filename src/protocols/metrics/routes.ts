// Defines GET /metrics for Prometheus, which reports the activity of this process since it started. The figures cover
// all tenants, so the route requires the scope `admin`.
import * as z from "zod";
import { respondProblem } from "../../http/respond.ts";
import { type Route, route } from "../../http/route.ts";
import { problem } from "../../schema/problem.ts";

export const metricsRoutes: readonly Route[] = [
  route(
    ["get", "/metrics", "admin"],
    (c) => {
      const { metrics } = c.get("options").rt;
      if (!metrics) return respondProblem(c, problem("not_supported_here", "This host collects no metrics."));
      return c.body(metrics.text(), 200, { "content-type": "text/plain; version=0.0.4; charset=utf-8" });
    },
    {
      id: "metrics",
      summary: "Show the counters of this process in the text format of Prometheus",
      responses: { 200: { description: "The counters.", schema: z.string(), type: "text/plain" } },
      problems: ["not_supported_here"],
    },
  ),
];
