import { Injectable } from '@nestjs/common';
import type { Principal } from '../../access/principal.js';
import { noSuch, validationError } from '../../errors/app-error.js';
import { placeOf } from '../../templates/template-cursor.js';
import { type ListedTemplate, TemplateLists } from '../../templates/template-lists.js';
import { type GraphQuery, picked } from '../graph-query.js';

/** Also the default: some programs ask for the next page without a token, and take what they have. */
const limitMax = 250;

/** Parley's copy of the templates in the form of WhatsApp's own API. */
@Injectable()
export class GraphTemplates {
  constructor(private readonly lists: TemplateLists) {}

  /** @param address of the list, for that of the next page. @throws AppError VALIDATION_ERROR */
  async list(caller: Principal, query: GraphQuery, address: string): Promise<object> {
    const { name, language, status, category, after } = query;
    if (after !== undefined && placeOf(after) === null) {
      throw validationError({ after: 'must be the cursor of an earlier answer' });
    }
    const limit = limitOf(query);
    const { templates, next_cursor: next } = await this.lists.page(caller, {
      nameContains: name,
      language,
      status: status?.toUpperCase(),
      category: category?.toUpperCase(),
      cursor: after,
      limit,
    });
    const known = templates.filter(({ platform_id: id }) => id !== null);
    return {
      data: known.map((template) => picked(templateNode(template), query)),
      ...(templates.length > 0 && {
        paging: {
          cursors: { ...(after && { before: after }), ...(next && { after: next }) },
          ...(next && {
            next: `${address}?${new URLSearchParams({ ...query, after: next }).toString()}`,
          }),
        },
      }),
    };
  }

  /** @param id WhatsApp's. @returns null where the account has no such template */
  async find(caller: Principal, id: string, query: GraphQuery): Promise<object | null> {
    // PostgreSQL takes no NUL, and no template has one in its id.
    if (id.includes('\0')) return null;
    const [template] = (await this.lists.page(caller, { platformId: id, limit: 1 })).templates;
    return template ? picked(templateNode(template), query) : null;
  }

  /** @throws AppError NOT_FOUND */
  async get(caller: Principal, id: string, query: GraphQuery): Promise<object> {
    const template = await this.find(caller, id, query);
    if (!template) throw noSuch('object');
    return template;
  }
}

function limitOf({ limit }: GraphQuery): number {
  if (limit === undefined) return limitMax;
  const count = /^\d{1,4}$/.test(limit) ? Number(limit) : 0;
  if (count < 1 || count > limitMax) throw validationError({ limit: `must be 1 to ${limitMax}` });
  return count;
}

function templateNode({
  platform_id: id,
  name,
  language,
  status,
  category,
  parameter_format,
  components,
  quality_score: score,
  rejected_reason,
}: ListedTemplate) {
  return {
    id,
    name,
    language,
    status,
    category,
    parameter_format,
    components,
    ...(score !== null && { quality_score: { score } }),
    ...(rejected_reason !== null && { rejected_reason }),
  };
}
