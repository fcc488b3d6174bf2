import { type INestApplication, Injectable } from '@nestjs/common';

/** The text of this process's OpenAPI document, made on the first request for it. */
@Injectable()
export class ApiDocument {
  private app: INestApplication | null = null;
  private text: Promise<string> | null = null;

  /** Says which application the document is about; Nest does not inject it. */
  describe(app: INestApplication): void {
    this.app = app;
  }

  /** @throws Error before `describe` */
  json(): Promise<string> {
    this.text ??= this.make();
    return this.text;
  }

  private async make(): Promise<string> {
    if (!this.app) throw new Error('set the application before reading its document');
    // Loaded on the first request, so that other processes do not pay for it.
    const { createDocument } = await import('./document.js');
    return JSON.stringify(createDocument(this.app));
  }
}
