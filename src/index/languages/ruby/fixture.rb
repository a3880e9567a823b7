# frozen_string_literal: true
require 'json'
require_relative 'support/text'
require_relative '../lib/base'
autoload :Lazy, 'store/lazy'

module Acme
  VERSION = '1.0'

  # A shop.
  # TODO: split
  class Shop < Base::Record
    include Enumerable
    extend ClassMethods
    attr_reader :name, :items
    attr_accessor :owner

    MAX = 10
    @@count = 0
    Point = Struct.new(:x, :y) do
      def dist = Math.sqrt(x * y)
    end

    class Error < StandardError; end

    class << self
      def build(*args, **opts, &block)
        new(*args)
      end

      private

      def hidden; end
    end

    def initialize(name, items: [])
      super()
      @name = name
      @items = items
    end

    def self.find(id) = store[id]

    def each
      return to_enum unless block_given?
      items.each do |item|
        if item.valid?
          while item.next
            begin
              yield item
            rescue Error => e
              warn e.message
            end
          end
        end
      end
    end

    def [](index) = items[index]
    def empty?; items.empty?; end
    alias length size
    alias_method :count, :size
    define_method(:dynamic) { |x| x }

    private

    def secret
      text = <<~EOS
        def fake; end #{helper(name)}
      EOS
      sql = %q(class Nope; end)
      text + sql
    end

    def helper(value) = value.to_s

    public def shown; end
    protected

    def guarded; secret; end
  end

  module_function

  def self.run!(shop = Shop.new('a'))
    shop.each { |item| puts item }
  end
end

def top_level; Acme::Shop.find(1); end
LIMIT = 5

class Broken
  def a(
  end
  def b; end
end
