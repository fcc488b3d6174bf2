import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService, MetadataScanner, Reflector } from '@nestjs/core';
import { routeAccessKey } from '../access/require-permission.decorator.js';

/** Where Nest keeps a handler's path; a method without it is no route. */
const pathKey = 'path';

/** Stops the start of a process that has a route without an access rule. */
@Injectable()
export class RouteAccessCheck implements OnModuleInit {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    private readonly reflector: Reflector,
  ) {}

  /** @throws Error naming every route that declares neither a permission, nor a role, nor that it is public. */
  onModuleInit(): void {
    const open = this.discovery.getControllers().flatMap(({ instance, metatype }) => {
      const prototype: unknown = instance && Object.getPrototypeOf(instance);
      if (!metatype || typeof prototype !== 'object' || prototype === null) return [];
      return this.scanner.getAllMethodNames(prototype).flatMap((name) => {
        const handler: unknown = (prototype as Record<string, unknown>)[name];
        if (typeof handler !== 'function' || Reflect.getMetadata(pathKey, handler) === undefined) {
          return [];
        }
        const access: unknown = this.reflector.getAllAndOverride(routeAccessKey, [
          handler,
          metatype as new () => unknown,
        ]);
        return access === undefined ? [`${metatype.name}.${name}`] : [];
      });
    });
    if (open.length > 0) {
      throw new Error(
        `these routes declare no permission and no role and are not public: ${open.join(', ')}`,
      );
    }
  }
}
