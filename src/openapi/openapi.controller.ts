import { Controller, Get, Param, Res } from '@nestjs/common';
import { Public } from '../access/require-permission.decorator.js';
import { AppError } from '../errors/app-error.js';
import type { Reply } from '../http/request.js';
import { AnswersBare } from '../http/route.decorators.js';
import { ApiDocument } from './api-document.js';
import { docsPage, docsPolicy, findDocsFile } from './docs-page.js';

/** Any object: the document does not describe itself. */
class OpenApiDto {}

/** The API's own documentation. */
@Controller()
@Public()
export class OpenApiController {
  constructor(private readonly document: ApiDocument) {}

  /** This document. */
  @Get('openapi.json')
  @AnswersBare({ 200: { description: 'OpenAPI 3.1.', type: OpenApiDto } })
  async getDocument(@Res() reply: Reply): Promise<void> {
    const json = await this.document.json();
    reply
      .header('content-type', 'application/json; charset=utf-8')
      .header('cache-control', 'no-cache')
      // Client generators in a browser may read it from anywhere; it holds no secret.
      .header('access-control-allow-origin', '*')
      .send(json);
  }

  /** A page that shows this document. */
  @Get('docs')
  @AnswersBare({ 200: { description: 'The page.', mediaType: 'text/html' } })
  getDocsPage(@Res() reply: Reply): void {
    reply
      .header('content-type', 'text/html; charset=utf-8')
      .header('content-security-policy', docsPolicy)
      .header('cache-control', 'no-cache')
      .header('x-content-type-options', 'nosniff')
      .header('referrer-policy', 'no-referrer')
      .send(docsPage);
  }

  /** What the page is made of. */
  @Get('docs/:file')
  @AnswersBare({ 200: { description: 'A script, a style sheet or an icon.', mediaType: '*/*' } })
  async getDocsFile(@Param('file') name: string, @Res() reply: Reply): Promise<void> {
    const file = await findDocsFile(name);
    if (!file) throw new AppError('NOT_FOUND');
    reply
      .header('content-type', file.contentType)
      .header('cache-control', 'public, max-age=3600')
      .header('x-content-type-options', 'nosniff')
      .send(file.bytes);
  }
}
