import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkout } from './npm-start.js';

/** The routes that the dashboard's controllers declare, below `/api/v1/dashboard`: `GET /api-keys/:id`. */
export function dashboardRoutes(): string[] {
  const folder = join(checkout, 'src');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return files.flatMap((file) => {
    if (!file.endsWith('.controller.ts')) return [];
    const source = readFileSync(join(folder, file), 'utf8');
    const [, base] = /@Controller\('api\/v1\/dashboard([^']*)'\)/.exec(source) ?? [];
    if (base === undefined) return [];
    const found = source.matchAll(/@(Get|Post|Put|Patch|Delete)\((?:'([^']*)')?\)/g);
    return [...found].map(([, method = '', path]) => {
      return `${method.toUpperCase()} ${base}${path ? `/${path}` : ''}`;
    });
  });
}
