import { Injectable } from '@nestjs/common';
import { minuteMs } from '#libs/durations';
import type { Mode } from '../../access/mode.js';
import type { Principal } from '../../access/principal.js';
import { noSuch } from '../../errors/app-error.js';
import type { Reply } from '../../http/request.js';
import { InboundMediaService } from '../../notifications/received/inbound-media.service.js';
import { SecretBox, SecretUnreadableError } from '../../secrets/secret-box.js';

/** As long as an address of WhatsApp's own works. */
const addressMs = 5 * minuteMs;

/** What a sealed address is bound to. */
const place = 'graph.media';

/** What an address opens. */
interface FileAddress {
  readonly accountId: string;
  readonly mode: Mode;
  readonly id: string;
  /** In milliseconds since 1970. */
  readonly until: number;
}

/** Files of an account by their ids at WhatsApp: those that users sent, and uploads. */
@Injectable()
export class GraphFiles {
  constructor(
    private readonly media: InboundMediaService,
    private readonly secrets: SecretBox,
  ) {}

  /** A file as WhatsApp's own API describes it. @param origin of this API. @throws AppError NOT_FOUND, SERVICE_UNAVAILABLE */
  async describe({ accountId, mode }: Principal, id: string, origin: string): Promise<object> {
    const { mimeType, sha256, fileSize } = await this.media.describe(id, { accountId, mode });
    const address: FileAddress = { accountId, mode, id, until: Date.now() + addressMs };
    const path = `/graph/media/${this.secrets.seal(JSON.stringify(address), place)}`;
    return {
      url: `${origin}${path}`,
      mime_type: mimeType,
      sha256,
      file_size: fileSize,
      id,
      messaging_product: 'whatsapp',
    };
  }

  /** Streams the file of an address. @throws AppError NOT_FOUND, SERVICE_UNAVAILABLE */
  async send(token: string, reply: Reply): Promise<void> {
    const { accountId, mode, id, until } = this.opened(token);
    if (until < Date.now()) throw noSuch('object');
    await this.media.sendMedia(id, { accountId, mode }, reply, { isAlsoUpload: true });
  }

  private opened(token: string): FileAddress {
    try {
      return JSON.parse(this.secrets.open(token, place)) as FileAddress;
    } catch (error) {
      if (!(error instanceof SecretUnreadableError)) throw error;
      throw noSuch('object');
    }
  }
}
