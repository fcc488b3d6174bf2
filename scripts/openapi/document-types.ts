/** A JSON Schema, as far as we look into it. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  default?: unknown;
  properties?: Record<string, Schema>;
  required?: string[];
  [facet: string]: unknown;
}

/** A parameter of an operation, or a reference to one. */
export interface Parameter {
  $ref?: string;
  name?: string;
  in?: string;
  required?: boolean;
  description?: string;
  schema?: Schema;
  example?: unknown;
}

/** Bodies by media type. */
export type Content = Record<
  string,
  {
    schema: Schema;
    example?: unknown;
    examples?: Record<string, { summary: string; value: unknown }>;
  }
>;

/** An answer of an operation. */
export interface Response {
  description: string;
  headers?: Record<string, unknown>;
  content?: Content;
}

/** What one method of one path does. */
export interface Operation {
  operationId: string;
  summary?: string;
  description?: string;
  tags?: string[];
  security?: Record<string, string[]>[];
  parameters?: Parameter[];
  requestBody?: { required?: boolean; content?: Content };
  responses: Record<string, Response | { $ref: string }>;
  /** What the key needs, all of them; null where it depends on what the request asks for. */
  'x-permissions'?: string[] | null;
  /** The lowest role that may call it; `anybody` for signing in. */
  'x-role'?: string;
  /** Whether anybody may call it. */
  'x-public'?: true;
}

/** An OpenAPI 3.1 document, as far as we look into it. */
export interface OpenApiDocument {
  openapi: string;
  info: { title: string; version: string; description?: string };
  servers?: { url: string; description?: string }[];
  tags?: { name: string; description?: string }[];
  paths: Record<string, Record<string, Operation>>;
  /** What Parley calls, by the name of the event. */
  webhooks?: Record<string, { post: Operation }>;
  components: {
    schemas: Record<string, Schema>;
    responses?: Record<string, Response>;
    headers?: Record<string, unknown>;
    parameters?: Record<string, Parameter>;
    securitySchemes?: Record<string, unknown>;
  };
}

/** A reference to a part of the document. */
export function ref(
  kind: 'schemas' | 'responses' | 'headers' | 'parameters',
  name: string,
): { $ref: string } {
  return { $ref: `#/components/${kind}/${name}` };
}
