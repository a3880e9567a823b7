<!doctype html>
<?php
declare(strict_types=1);

namespace Acme\Store;

use Acme\Model\Order;
use Acme\Model\{Item, Line as OrderLine, Sub\Tax};
use function Acme\Text\trim_all;
use const Acme\LIMIT;

require_once __DIR__ . '/helpers.php';
include 'config.inc.php';

const VERSION = '1.0';
define('ACME_DEBUG', true);

/**
 * A shop. function fake() {}
 */
#[Entity(table: 'private')]
abstract class Shop extends \Base\Record implements \Countable, HasItems
{
    use Loggable, Cacheable;

    public const MAX = 10;
    protected static ?int $count = 0, $other;
    private array $items = [];

    // TODO: inject
    public function __construct(private readonly Clock $clock, protected ?string $name = null)
    {
        parent::__construct();
        $this->items = self::defaults();
    }

    final public static function make(int ...$ids): static
    {
        foreach ($ids as $key => $id) {
            if ($id) {
                try { $order = new Order($id); $order->save()?->total; } catch (\Exception $e) { throw $e; }
            } elseif ($key) {
                while (true) { break; }
            }
        }
        $fn = fn(int $x): int => $x + Shop::MAX;
        return new static(trim_all("class No {} {$fn(1)}"));
    }

    abstract protected function load(Order $order): ?Item;
    private function secret() { return $this->clock->now(); }
}

interface HasItems extends \Traversable { const KIND = 1; public function items(): array; }
trait Loggable { protected function log(string $line): void {} }
enum State: string implements Labelled { case Open = 'o'; case Closed = 'c'; const FIRST = self::Open; public function label(): string { return ''; } }

function helper(array &$list): void
{
    $text = <<<EOT
    function heredoc() {} {$list[0]}
    EOT;
    $raw = <<<'RAW'
    class Nowdoc {}
    RAW;
    echo $text, $raw;
    function nested() {}
}

$handler = function () use ($shop) { return helper($shop); };
?>
<p><?= helper([]) ?></p>
<?php
class Broken { public function a( { } public function b() {} }
