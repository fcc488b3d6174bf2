import type { JsonObject } from './checks.js';

const body = (text: string, example: JsonObject = {}): JsonObject => ({
  type: 'BODY',
  text,
  ...(Object.keys(example).length === 0 ? {} : { example }),
});

const named = (values: Readonly<Record<string, string>>): JsonObject => ({
  body_text_named_params: Object.entries(values).map(([name, example]) => ({
    param_name: name,
    example,
  })),
});

/** What a business account has until it is given templates: one of each kind worth trying. */
export const demoTemplates: readonly JsonObject[] = [
  {
    name: 'hello_world',
    language: 'en_US',
    category: 'UTILITY',
    components: [
      { type: 'HEADER', format: 'TEXT', text: 'Hello World' },
      body('Welcome and congratulations!! This message demonstrates your ability to send.'),
      { type: 'FOOTER', text: 'WhatsApp Business Platform sample message' },
    ],
  },
  {
    name: 'order_confirmation',
    language: 'en_US',
    category: 'UTILITY',
    components: [
      body('Hi {{1}}, your order {{2}} is confirmed.\nIt arrives on {{3}}.', {
        body_text: [['Jessica', 'SKBUP2-4CPIG9', 'Friday']],
      }),
      { type: 'FOOTER', text: 'Thank you for shopping with us' },
      {
        type: 'BUTTONS',
        buttons: [
          {
            type: 'URL',
            text: 'Track order',
            url: 'https://shop.example/orders/{{1}}',
            example: ['https://shop.example/orders/SKBUP2-4CPIG9'],
          },
          { type: 'QUICK_REPLY', text: 'I need help' },
        ],
      },
    ],
  },
  ...(
    [
      ['en_US', 'Your visit', 'Hi {{first_name}}, we expect you on {{date}} at {{time}}.'],
      ['es', 'Su visita', 'Hola {{first_name}}, le esperamos el {{date}} a las {{time}}.'],
    ] as const
  ).map(([language, header, text]) => ({
    name: 'appointment_reminder',
    language,
    category: 'UTILITY',
    parameter_format: 'NAMED',
    components: [
      { type: 'HEADER', format: 'TEXT', text: header },
      body(text, named({ first_name: 'Jessica', date: '4 May', time: '10:30' })),
      {
        type: 'BUTTONS',
        buttons:
          language === 'es'
            ? [
                { type: 'QUICK_REPLY', text: 'Confirmar' },
                { type: 'QUICK_REPLY', text: 'Cancelar' },
              ]
            : [
                { type: 'QUICK_REPLY', text: 'Confirm' },
                { type: 'QUICK_REPLY', text: 'Cancel' },
              ],
      },
    ],
  })),
  {
    name: 'seasonal_promotion',
    language: 'en_US',
    category: 'MARKETING',
    components: [
      {
        type: 'HEADER',
        format: 'IMAGE',
        example: { header_handle: ['https://shop.example/summer.jpg'] },
      },
      body('Our {{1}} is on! Save {{2}} until {{3}}.', {
        body_text: [['Summer Sale', '25%', 'the end of August']],
      }),
      {
        type: 'BUTTONS',
        buttons: [
          { type: 'COPY_CODE', text: 'Copy offer code', example: ['SUMMER25'] },
          {
            type: 'URL',
            text: 'Shop now',
            url: 'https://shop.example/sale?code={{1}}',
            example: ['https://shop.example/sale?code=SUMMER25'],
          },
          { type: 'QUICK_REPLY', text: 'Stop promotions' },
        ],
      },
    ],
  },
  {
    name: 'invoice_ready',
    language: 'en_US',
    category: 'UTILITY',
    parameter_format: 'NAMED',
    components: [
      {
        type: 'HEADER',
        format: 'DOCUMENT',
        example: { header_handle: ['https://shop.example/invoice.pdf'] },
      },
      body(
        'Dear {{customer}}, invoice {{number}} is attached.',
        named({ customer: 'Jessica', number: '2026-118' }),
      ),
      {
        type: 'BUTTONS',
        buttons: [{ type: 'URL', text: 'Pay online', url: 'https://shop.example/pay' }],
      },
    ],
  },
  {
    name: 'product_launch',
    language: 'en_US',
    category: 'MARKETING',
    components: [
      {
        type: 'HEADER',
        format: 'VIDEO',
        example: { header_handle: ['https://shop.example/launch.mp4'] },
      },
      body('Meet {{1}}.', { body_text: [['the new collection']] }),
    ],
  },
  {
    name: 'account_update',
    language: 'en_US',
    category: 'UTILITY',
    components: [
      {
        type: 'HEADER',
        format: 'TEXT',
        text: 'Update for {{1}}',
        example: { header_text: ['Jessica'] },
      },
      body('Your account now has the status: {{1}}.', { body_text: [['verified']] }),
    ],
  },
  {
    name: 'login_code',
    language: 'en_US',
    category: 'AUTHENTICATION',
    components: [
      body('*{{1}}* is your verification code.', { body_text: [['123456']] }),
      {
        type: 'BUTTONS',
        buttons: [
          {
            type: 'URL',
            text: 'Copy code',
            url: 'https://www.whatsapp.com/otp/code/?otp_type=COPY_CODE&code=otp{{1}}',
            example: ['https://www.whatsapp.com/otp/code/?otp_type=COPY_CODE&code=otp123456'],
          },
        ],
      },
    ],
  },
  {
    name: 'winter_sale',
    language: 'en_US',
    category: 'MARKETING',
    status: 'PAUSED',
    components: [body('Winter sale: everything must go.')],
  },
  {
    name: 'survey_invitation',
    language: 'en_US',
    category: 'MARKETING',
    status: 'PENDING',
    components: [body('How was your visit, {{1}}?', { body_text: [['Jessica']] })],
  },
];
