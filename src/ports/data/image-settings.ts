// The service that creates images, as configured by the operator.
export type ImageSettings = {
  /** The base URL of an API like OpenAI's, including /v1. */
  readonly base_url: string;
  readonly api_key: string | null;
  readonly model: string;
};
