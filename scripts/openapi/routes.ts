import 'reflect-metadata';
import type { INestApplicationContext } from '@nestjs/common';
import { MetadataScanner, ModulesContainer } from '@nestjs/core';
import { type RouteAccess, routeAccessKey } from '../../src/access/require-permission.decorator.js';
import {
  type BareAnswer,
  bareKey,
  fileKey,
  oneOfKey,
  type Refusal,
  refusalsKey,
  sendKey,
} from '../../src/http/route.decorators.js';
import type { Dto } from '../../src/http/validation/compiled-rules.js';
import { limitsSignInKey } from '../../src/sessions/sign-in-attempts.js';

/** What the decorators of a route say about it. */
export interface Route {
  readonly controller: string;
  readonly method: string;
  readonly access: RouteAccess;
  readonly limitsSignIn: boolean;
  readonly refusals: readonly Refusal[];
  readonly isSend: boolean;
  /** Whether it takes `Idempotency-Key`. */
  readonly isRepeatable: boolean;
  readonly bare: Readonly<Record<number, BareAnswer>> | null;
  /** Whether `Accept` can ask for the list as a file. */
  readonly isAlsoFile: boolean;
  readonly oneOf: readonly Dto[];
  /** The classes of its parameters. */
  readonly parameterTypes: readonly Dto[];
}

/** Where Nest keeps a handler's path; a method without it is no route. */
const pathKey = 'path';

/**
 * The routes of an application by `Controller.method`. They come from the same metadata that the
 * guards use, so the document cannot differ from what the API does.
 */
export function routesOf(app: INestApplicationContext): Map<string, Route> {
  const routes = new Map<string, Route>();
  for (const module of app.get(ModulesContainer).values()) {
    for (const { metatype } of module.controllers.values()) {
      if (typeof metatype !== 'function') continue;
      const prototype = metatype.prototype as Record<string, unknown>;
      for (const method of new MetadataScanner().getAllMethodNames(prototype)) {
        const value = prototype[method];
        if (typeof value !== 'function' || !Reflect.hasMetadata(pathKey, value)) continue;
        const read = <T>(key: string, otherwise: T): T =>
          (Reflect.getMetadata(key, value) ?? Reflect.getMetadata(key, metatype) ?? otherwise) as T;
        const access = read<RouteAccess | null>(routeAccessKey, null);
        if (!access) throw new Error(`${metatype.name}.${method} does not say who may call it`);
        const types: unknown[] = Reflect.getMetadata('design:paramtypes', prototype, method) ?? [];
        const refusals = read<readonly Refusal[]>(refusalsKey, []);
        routes.set(`${metatype.name}.${method}`, {
          controller: metatype.name,
          method,
          access,
          limitsSignIn: read(limitsSignInKey, false),
          refusals,
          isSend: read(sendKey, false),
          isRepeatable: refusals.includes('IDEMPOTENCY_KEY_REUSED'),
          bare: read(bareKey, null),
          isAlsoFile: read(fileKey, false),
          oneOf: read(oneOfKey, []),
          parameterTypes: types.filter((type): type is Dto => typeof type === 'function'),
        });
      }
    }
  }
  return routes;
}

/** Verbs that say nothing without a noun. */
const isBareVerb = (method: string) => !/[A-Z]/.test(method);

/**
 * The name of a route's operation: its method, with the noun of its controller where the method is
 * but a verb (`list` of `ApiKeysController` is `listApiKeys`, `get` is `getApiKey`).
 */
export function operationIdOf({ controller, method }: Route): string {
  if (!isBareVerb(method)) return method;
  const nouns = controller.replace(/Controller$/, '');
  return method + (method === 'list' ? nouns : nouns.replace(/s(?=Of|$)/, ''));
}
