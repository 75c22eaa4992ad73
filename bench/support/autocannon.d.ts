// Declares the part of autocannon that the benchmarks use, because the package has no types.
declare module "autocannon" {
  type RequestSpec = { method?: string; path?: string; body?: string; headers?: Record<string, string> };
  type Options = {
    url: string;
    connections: number;
    duration: number;
    requests: (RequestSpec & { setupRequest?: (request: RequestSpec) => RequestSpec })[];
  };
  type Result = {
    requests: { average: number; total: number };
    latency: { p50: number; p99: number };
    non2xx: number;
    errors: number;
  };
  export default function autocannon(options: Options): Promise<Result>;
}
