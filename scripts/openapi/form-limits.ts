import type { OpenApiDocument, Schema } from './document-types.js';

const facets = ['minLength', 'maxLength', 'minimum', 'maximum', 'maxItems'];

/** The forms of ids, times and text that is not blank are long, and no form of the dashboard checks them. */
const patternMaxLength = 60;

/**
 * What the dashboard's forms are held to: the limits of the bodies that a document takes, by the name of a module for each
 * schema. In one module for all of them, every page would load all.
 */
export function formLimits({ paths, components }: OpenApiDocument): Record<string, string> {
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
  const names = new Set<string>();
  const follow = (part: unknown) => {
    const references = JSON.stringify(part ?? null).matchAll(/"#\/components\/schemas\/(\w+)"/g);
    for (const [, name = ''] of references) {
      if (names.has(name)) continue;
      names.add(name);
      follow(components.schemas[name]);
    }
  };
  for (const { requestBody } of operations) follow(requestBody);
  const modules = [...names].flatMap((name) => {
    const fields = fieldLimits(components.schemas[name] ?? {});
    if (Object.keys(fields).length === 0) return [];
    const constant = `${name.charAt(0).toLowerCase()}${name.slice(1)}Limits`;
    const file = name.replaceAll(/\B[A-Z]/g, '-$&').toLowerCase();
    const object = JSON.stringify(fields, null, 2).replaceAll(
      /(?<="pattern": )".*"/g,
      (pattern) => `${new RegExp(JSON.parse(pattern) as string)}`,
    );
    const text = `export const ${constant} = ${object} as const;\n`;
    return [[`${file}.ts`, `// npm run openapi makes this file.\n${text}`]];
  });
  return Object.fromEntries(modules);
}

/** The fields of a schema and of its alternatives. */
function fieldLimits(schema: Schema): Record<string, object> {
  const parts = ['allOf', 'anyOf', 'oneOf'].flatMap((key) => (schema[key] ?? []) as Schema[]);
  const own = Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const limits = limitsOf(field);
    return limits ? [[name, limits]] : [];
  });
  return Object.assign({}, ...parts.map(fieldLimits), Object.fromEntries(own));
}

function limitsOf(schema: Schema): Record<string, unknown> | null {
  const { pattern } = schema;
  const isShort = typeof pattern === 'string' && pattern.length <= patternMaxLength;
  const nested = ['items', 'propertyNames'].flatMap((key) => {
    const limits = schema[key] ? limitsOf(schema[key] as Schema) : null;
    return limits ? [[key, limits]] : [];
  });
  const limits = {
    ...Object.fromEntries(facets.filter((key) => key in schema).map((key) => [key, schema[key]])),
    ...(isShort && { pattern }),
    ...Object.fromEntries(nested),
  };
  return Object.keys(limits).length === 0 ? null : limits;
}
