import { isOptOutLabel } from './opt-out-labels.js';

describe('the label of a marketing opt-out button', () => {
  it.each([
    'Stop promotions',
    ' STOP  PROMOTIONS ',
    'Parar promoções',
    'PARAR PROMOCOES',
    'Detener promociones',
    'Interrompi promozioni',
    'Promoties stoppen',
    'Arrêter les promotions',
    'Werbung stoppen',
    'Hentikan promosi',
    'प्रमोशन रोकें',
    'إيقاف العروض الترويجية',
    'ايقاف العروض',
    'Promosyonları durdur',
    'PROMOSYONLARI DURDUR',
    'Остановить рекламу',
    'プロモーションを停止',
    '프로모션 중지',
    '停止推广',
    '停止促銷',
    'Dừng khuyến mãi',
    'หยุดโปรโมชั่น',
    'Zatrzymaj promocje',
    'پروموشنز روکیں',
    'প্রচার বন্ধ করুন',
  ])('is %s', (label) => {
    expect(isOptOutLabel(label)).toBe(true);
  });

  it.each([
    'Promotions',
    'Stop',
    'Shop now',
    'Show promotions',
    'See all promotions',
    'Do not stop promotions',
    'Stop promotions?! Never',
    'Parar',
    'Ver promoções',
    'Promoções',
    '推广',
    '',
    '...',
    'x'.repeat(300),
  ])('is not %.30s', (label) => {
    expect(isOptOutLabel(label)).toBe(false);
  });
});
