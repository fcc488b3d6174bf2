import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkout } from './npm-start.js';

const base = '/api/v1/dashboard';

/** The routes of the dashboard, as its document has them, below `/api/v1/dashboard`: `GET /api-keys/:id`. */
export function dashboardRoutes(): string[] {
  const text = readFileSync(join(checkout, 'docs/openapi.dashboard.json'), 'utf8');
  const { paths } = JSON.parse(text) as { paths: Record<string, object> };
  return Object.entries(paths).flatMap(([path, methods]) => {
    if (!path.startsWith(`${base}/`)) return [];
    const route = path.slice(base.length).replaceAll(/\{(\w+)\}/g, ':$1');
    return Object.keys(methods).map((method) => `${method.toUpperCase()} ${route}`);
  });
}
