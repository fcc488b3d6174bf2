import { Controller, Get, HttpCode, Param, Post, Req, UseInterceptors } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Caller } from '../../access/caller.decorator.js';
import type { Principal } from '../../access/principal.js';
import { ReadsTakeTheDay } from '../../access/reads-take-the-day.js';
import { RequireGraphAccess } from '../../access/require-permission.decorator.js';
import { ApiKeyDirectory } from '../../api-keys/api-key-directory.js';
import { requirePermission } from '../../auth/admission.js';
import { Config } from '../../config/config.js';
import { noSuch, validationError } from '../../errors/app-error.js';
import { Bare } from '../../http/envelope.js';
import { ownOrigin, type Request } from '../../http/request.js';
import { bearerOf, tokensOf } from '../../http/server/address-tokens.js';
import { queryOf } from '../graph-query.js';
import { GraphFiles } from '../media/graph-files.js';
import { GraphNumbers } from './graph-numbers.js';
import { GraphTemplates } from './graph-templates.js';

/** Parley as an app of Meta's: programs compare the ids of apps, and want digits. */
const app = { id: '100000000000000', name: 'Parley' };

/** What programs read of a number, its business account and their token. */
@Controller('graph/:version')
@ApiExcludeController()
@RequireGraphAccess()
@UseInterceptors(ReadsTakeTheDay)
export class GraphObjectsController {
  constructor(
    private readonly templates: GraphTemplates,
    private readonly numbers: GraphNumbers,
    private readonly files: GraphFiles,
    private readonly config: Config,
    private readonly keys: ApiKeyDirectory,
  ) {}

  /** The caller's own token: whose it is and what it may do. */
  @Get('debug_token')
  async debugToken(@Caller() caller: Principal, @Req() request: Request): Promise<Bare> {
    const { input_token: asked } = tokensOf(request.raw);
    if (asked !== undefined && asked !== bearerOf(request.raw)) {
      throw validationError({ input_token: 'must be the API key that the request is made with' });
    }
    const key = await this.keys.loadById(caller.apiKeyId, caller.accountId);
    return new Bare({
      data: {
        app_id: app.id,
        type: 'SYSTEM_USER',
        application: app.name,
        data_access_expires_at: 0,
        expires_at: key?.expiresAt ? Math.floor(key.expiresAt.getTime() / 1_000) : 0,
        is_valid: true,
        scopes: ['whatsapp_business_management', 'whatsapp_business_messaging'],
      },
    });
  }

  /** A number, a template or a file, by its id at WhatsApp. */
  @Get(':object')
  async get(
    @Caller() caller: Principal,
    @Param('object') object: string,
    @Req() request: Request,
  ): Promise<Bare> {
    const query = queryOf(request);
    if (object === caller.account.phoneNumberId) {
      return new Bare(await this.numbers.get(caller, query));
    }
    if (caller.permissions.has('view_templates')) {
      const template = await this.templates.find(caller, object, query);
      if (template) return new Bare(template);
    }
    requirePermission(caller, 'view_messages');
    return new Bare(await this.files.describe(caller, object, this.originOf(request)));
  }

  @Get(':object/phone_numbers')
  async listNumbers(
    @Caller() caller: Principal,
    @Param('object') object: string,
    @Req() request: Request,
  ): Promise<Bare> {
    mustBeBusinessAccount(caller, object);
    return new Bare({ data: [await this.numbers.get(caller, queryOf(request))] });
  }

  @Get(':object/message_templates')
  async listTemplates(
    @Caller() caller: Principal,
    @Param('object') object: string,
    @Req() request: Request,
  ): Promise<Bare> {
    mustBeBusinessAccount(caller, object);
    requirePermission(caller, 'view_templates');
    const [path = ''] = request.url.split('?');
    const address = `${this.originOf(request)}${path}`;
    return new Bare(await this.templates.list(caller, queryOf(request), address));
  }

  @Get(':object/message_templates/:id')
  async getTemplate(
    @Caller() caller: Principal,
    @Param('object') object: string,
    @Param('id') id: string,
    @Req() request: Request,
  ): Promise<Bare> {
    mustBeBusinessAccount(caller, object);
    requirePermission(caller, 'view_templates');
    return new Bare(await this.templates.get(caller, id, queryOf(request)));
  }

  /** Programs subscribe their app to an account. Parley's endpoints are that here. */
  @Get(':object/subscribed_apps')
  listApps(
    @Caller() caller: Principal,
    @Param('object') object: string,
    @Req() request: Request,
  ): Bare {
    mustBeBusinessAccount(caller, object);
    const data = [{ whatsapp_business_api_data: { ...app, link: this.originOf(request) } }];
    return new Bare({ data });
  }

  /** Succeeds and changes nothing. */
  @Post(':object/subscribed_apps')
  @HttpCode(200)
  subscribe(@Caller() caller: Principal, @Param('object') object: string): Bare {
    mustBeBusinessAccount(caller, object);
    return new Bare({ success: true });
  }

  private originOf(request: Request): string {
    return ownOrigin(request, this.config.publicUrl);
  }
}

function mustBeBusinessAccount({ account }: Principal, object: string): void {
  if (object !== account.businessAccountId) throw noSuch('object');
}
