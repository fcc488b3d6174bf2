import type { ExternalPath } from '../api/types.ts';

type Route<Path extends string> = Path extends `/api/v1/external${infer Rest}` ? Rest : never;

/** The routes of the external API, as its document has them. Without one of them, this file does not compile. */
const routes: Record<Route<ExternalPath>, true> = {
  '/campaigns': true,
  '/campaigns/{id}': true,
  '/campaigns/{id}/cancel': true,
  '/campaigns/{id}/estimate': true,
  '/campaigns/{id}/pause': true,
  '/campaigns/{id}/recipients': true,
  '/campaigns/{id}/resume': true,
  '/campaigns/{id}/retry': true,
  '/campaigns/{id}/start': true,
  '/contacts': true,
  '/contacts/consent': true,
  '/contacts/consent/import': true,
  '/contacts/window': true,
  '/contacts/{id}': true,
  '/events': true,
  '/media': true,
  '/media/{id}': true,
  '/messages': true,
  '/messages/contacts': true,
  '/messages/interactive/button': true,
  '/messages/interactive/carousel': true,
  '/messages/interactive/contact-request': true,
  '/messages/interactive/cta-url': true,
  '/messages/interactive/flow': true,
  '/messages/interactive/list': true,
  '/messages/interactive/location-request': true,
  '/messages/location': true,
  '/messages/media': true,
  '/messages/reaction': true,
  '/messages/read': true,
  '/messages/template': true,
  '/messages/template/send': true,
  '/messages/text': true,
  '/messages/{uuid}': true,
  '/messages/{uuid}/cancel': true,
  '/templates': true,
  '/webhooks': true,
  '/webhooks/{id}': true,
  '/webhooks/{id}/enable': true,
  '/webhooks/{id}/recover': true,
  '/webhooks/{id}/rotate-secret': true,
  '/webhooks/{id}/test': true,
};

/** As the log has them: `/messages/:uuid`. */
export const externalRoutes: readonly string[] = Object.keys(routes).map((path) =>
  path.replaceAll(/\{(\w+)\}/g, ':$1'),
);
