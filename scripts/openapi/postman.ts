import type { OpenApiDocument, Operation } from './document-types.js';

/** A Postman collection (v2.1) of a document: a folder for each area, a request for each example of a body. */
export function postmanCollection({ info, tags = [], paths }: OpenApiDocument): object {
  const requests = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) =>
      requestsOf(path, method, operation).map((request) => ({
        tag: operation.tags?.[0],
        request,
      })),
    ),
  );
  return {
    info: {
      name: info.title,
      description: info.description,
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    auth: {
      type: 'apikey',
      apikey: [
        { key: 'key', value: 'X-API-Key', type: 'string' },
        { key: 'value', value: '{{api_key}}', type: 'string' },
        { key: 'in', value: 'header', type: 'string' },
      ],
    },
    variable: [
      { key: 'base_url', value: 'http://127.0.0.1:3000', type: 'string' },
      { key: 'api_key', value: '', type: 'string' },
    ],
    item: tags
      .map(({ name, description }) => ({
        name,
        description,
        item: requests.filter(({ tag }) => tag === name).map(({ request }) => request),
      }))
      .filter(({ item }) => item.length > 0),
  };
}

function requestsOf(path: string, method: string, operation: Operation): object[] {
  const { summary, description, requestBody } = operation;
  const url = urlOf(path, operation);
  const base = { method: method.toUpperCase(), description, url };
  const name = (summary ?? operation.operationId).replaceAll('`', '').replace(/\.$/, '');
  if (requestBody?.content?.['multipart/form-data']) {
    const formdata = [{ key: 'file', type: 'file', src: [] }];
    return [{ name, request: { ...base, body: { mode: 'formdata', formdata } } }];
  }
  const examples = Object.values(requestBody?.content?.['application/json']?.examples ?? {});
  if (examples.length === 0) return [{ name, request: base }];
  return examples.map((example) => ({
    name: examples.length === 1 ? name : `${name}: ${example.summary.toLowerCase()}`,
    request: {
      ...base,
      header: [{ key: 'Content-Type', value: 'application/json' }],
      body: {
        mode: 'raw',
        raw: JSON.stringify(example.value, null, 2),
        options: { raw: { language: 'json' } },
      },
    },
  }));
}

/** The address, with its parameters as variables of the path and as queries that are switched off. */
function urlOf(path: string, { parameters = [] }: Operation): object {
  const steps = path.slice(1).replaceAll(/\{(\w+)\}/g, ':$1');
  const of = (place: string) =>
    parameters
      .filter((parameter) => parameter.in === place)
      .map(({ name, description, example, required }) => ({
        key: name,
        value: example === undefined ? '' : (example as string),
        description,
        ...(place === 'query' && { disabled: required !== true }),
      }));
  return {
    raw: `{{base_url}}/${steps}`,
    host: ['{{base_url}}'],
    path: steps.split('/'),
    query: of('query'),
    variable: of('path'),
  };
}
