import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import { Public } from '../access/require-permission.decorator.js';
import { AppError } from '../errors/app-error.js';
import type { Reply, Request } from '../http/request.js';
import { AnswersBare } from '../http/route.decorators.js';
import { docsFiles, docsPage, docsPolicy, readDocuments } from './docs-page.js';
import { isPage, textPages } from './text-pages.js';

/** Any object: the document does not describe itself. */
class OpenApiDocumentDto {}

/** The API's own documentation. */
@Controller()
@Public()
export class OpenApiController {
  private readonly documents = readDocuments();

  /** The document of what programs with an API key call. */
  @Get('openapi.json')
  @AnswersBare({ 200: { description: 'OpenAPI 3.1.', type: OpenApiDocumentDto } })
  getDocument(@Req() request: Request, @Res() reply: Reply): Promise<void> {
    return this.send('openapi.json', request, reply);
  }

  /** The document of what the dashboard, WhatsApp and operators call. */
  @Get('openapi.dashboard.json')
  @AnswersBare({ 200: { description: 'OpenAPI 3.1.', type: OpenApiDocumentDto } })
  getDashboardDocument(@Req() request: Request, @Res() reply: Reply): Promise<void> {
    return this.send('openapi.dashboard.json', request, reply);
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

  /** The documentation as text, for programs that read it: an index. */
  @Get('llms.txt')
  @AnswersBare({ 200: { description: 'The index.' } })
  getTextIndex(@Req() request: Request, @Res() reply: Reply): Promise<void> {
    return sendPage('llms.txt', request, reply);
  }

  /** A guide of the documentation, as text. */
  @Get('docs/guides/:file')
  @AnswersBare({ 200: { description: 'Markdown.', mediaType: 'text/markdown' } })
  getTextGuide(
    @Param('file') name: string,
    @Req() request: Request,
    @Res() reply: Reply,
  ): Promise<void> {
    return sendPage(`docs/guides/${name}`, request, reply);
  }

  /** What a client's package says of itself, as text. */
  @Get('clients/:client/README.md')
  @AnswersBare({ 200: { description: 'Markdown.', mediaType: 'text/markdown' } })
  getClientPage(
    @Param('client') name: string,
    @Req() request: Request,
    @Res() reply: Reply,
  ): Promise<void> {
    return sendPage(`clients/${name}/README.md`, request, reply);
  }

  /** A file of the page that shows the document, or a page of the documentation as text. */
  @Get('docs/:file')
  @AnswersBare({
    200: { description: 'Markdown, a script, a style sheet or an icon.', mediaType: '*/*' },
  })
  getDocsFile(
    @Param('file') name: string,
    @Req() request: Request,
    @Res() reply: Reply,
  ): Promise<void> {
    if (isPage.test(name)) return sendPage(`docs/${name}`, request, reply);
    const files = docsFiles();
    if (!files.has(name)) throw new AppError('NOT_FOUND');
    return files.sendFile(name, request, reply, 'public, max-age=3600');
  }

  private send(name: string, request: Request, reply: Reply): Promise<void> {
    // Client generators in a browser may read it from anywhere; it holds no secret.
    void reply.header('access-control-allow-origin', '*');
    return this.documents.sendFile(name, request, reply, 'no-cache');
  }
}

function sendPage(path: string, request: Request, reply: Reply): Promise<void> {
  const pages = textPages();
  if (!pages.has(path)) throw new AppError('NOT_FOUND');
  return pages.sendFile(path, request, reply, 'no-cache');
}
