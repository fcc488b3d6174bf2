import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import { Public } from '../access/require-permission.decorator.js';
import { AppError } from '../errors/app-error.js';
import type { Reply, Request } from '../http/request.js';
import { AnswersBare } from '../http/route.decorators.js';
import { docsFiles, docsPage, docsPolicy, readDocument } from './docs-page.js';

/** Any object: the document does not describe itself. */
class OpenApiDto {}

/** The API's own documentation. */
@Controller()
@Public()
export class OpenApiController {
  private readonly document = readDocument();

  /** This document. */
  @Get('openapi.json')
  @AnswersBare({ 200: { description: 'OpenAPI 3.1.', type: OpenApiDto } })
  getDocument(@Req() request: Request, @Res() reply: Reply): Promise<void> {
    // Client generators in a browser may read it from anywhere; it holds no secret.
    void reply.header('access-control-allow-origin', '*');
    return this.document.sendFile('openapi.json', request, reply, 'no-cache');
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

  /** A file of the page. */
  @Get('docs/:file')
  @AnswersBare({ 200: { description: 'A script, a style sheet or an icon.', mediaType: '*/*' } })
  getDocsFile(
    @Param('file') name: string,
    @Req() request: Request,
    @Res() reply: Reply,
  ): Promise<void> {
    const files = docsFiles();
    if (!files.has(name)) throw new AppError('NOT_FOUND');
    return files.sendFile(name, request, reply, 'public, max-age=3600');
  }
}
