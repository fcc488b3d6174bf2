import { apiDocuments } from '../support/api-document.js';

/** An operation of the documents. */
export interface Route {
  readonly method: string;
  /** With its parameters in braces. */
  readonly path: string;
  /** In JSON; forms have tests of their own. */
  readonly hasBody: boolean;
  readonly query: readonly string[];
}

interface Operation {
  readonly requestBody?: { readonly content: Readonly<Record<string, object>> };
  readonly parameters?: readonly { readonly in?: string; readonly name?: string }[];
}

/** Every operation of the documents, which a test of its own holds to the controllers. */
export const routes: readonly Route[] = Object.values(apiDocuments)
  .flatMap(({ paths }) => Object.entries<Record<string, Operation>>(paths))
  .flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, { requestBody, parameters = [] }]) => ({
      method: method.toUpperCase(),
      path,
      hasBody: requestBody?.content['application/json'] !== undefined,
      query: parameters.flatMap((parameter) =>
        parameter.in === 'query' ? (parameter.name ?? []) : [],
      ),
    })),
  );

/** How a route is called in lists: `POST /path/{id}`. */
export const nameOf = ({ method, path }: Route): string => `${method} ${path}`;

export const isExternal = ({ path }: Route): boolean => path.startsWith('/api/v1/external/');
export const isDashboard = ({ path }: Route): boolean => path.startsWith('/api/v1/dashboard/');

/** Fills in the parameters of a path, in their order. */
export function pathWith(path: string, values: Readonly<Record<string, string>>): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '');
}
