import type { paths } from './openapi.ts';

/** What the dashboard's REST takes and answers, by method and path, as its document says. */

type Root = '/api/v1/dashboard';

type Below<Whole> = Whole extends `${Root}${infer Path}` ? Path : never;

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

type Operation<M extends Method, Path extends string> = `${Root}${Path}` extends infer Whole extends
  keyof paths
  ? Exclude<paths[Whole][Lowercase<M>], undefined>
  : never;

/** The paths that the method is known for, below the root. Ids stand in braces. */
export type PathOf<M extends Method> = {
  [Path in Below<keyof paths>]: [Operation<M, Path>] extends [never] ? never : Path;
}[Below<keyof paths>];

type InPath<O> = O extends { parameters: { path: infer Values extends object } } ? Values : object;

type InQuery<O> = O extends { parameters: { query?: infer Values extends object } }
  ? { readonly [Name in keyof Values]?: Values[Name] | null }
  : object;

/** What the braces of the path stand for, and the query: what is null or undefined is left out. */
export type Asked<M extends Method, Path extends string> = InPath<Operation<M, Path>> &
  InQuery<Operation<M, Path>>;

/** Some of what narrows a list, as the list is asked for. */
export type FilterOf<Path extends PathOf<'GET'>, Name extends keyof Asked<'GET', Path>> = {
  readonly [Each in Name]?: NonNullable<Asked<'GET', Path>[Each]>;
};

/** Null where nothing of it must be given. */
type OrNull<T> = object extends T ? T | null : T;

type MayEnd<T> = object extends T ? [given?: T | null] : [given: T];

/** A call changes nothing of what it is given. */
type Unchanged<T> = T extends object ? { readonly [Name in keyof T]: Unchanged<T[Name]> } : T;

type InBody<O> = O extends { requestBody: { content: { 'application/json': infer Body } } }
  ? [body: Unchanged<Body>]
  : O extends { requestBody?: { content: { 'application/json': infer Body } } }
    ? [body?: Unchanged<Body>]
    : [];

/** What follows the path of a call. */
export type Given<M extends Method, Path extends string> =
  InBody<Operation<M, Path>> extends [body: infer Body]
    ? [given: OrNull<Asked<M, Path>>, body: Body]
    : [...MayEnd<Asked<M, Path>>, ...InBody<Operation<M, Path>>];

/** The `data` of an answer. */
export type Data<M extends Method, Path extends string> =
  Operation<M, Path> extends {
    responses: { 200: { content: { 'application/json': { data: infer D } } } };
  }
    ? D
    : never;
